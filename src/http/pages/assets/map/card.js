function part(name, text, className) {
  const element = document.createElement(name)
  element.textContent = text
  if (className) element.className = className
  return element
}

function addressOf({ log, query }, changes) {
  if (log === undefined) return undefined
  const parameters = new URLSearchParams(query)
  for (const name of ['airportId', 'fromId', 'toId']) parameters.delete(name)
  for (const [name, value] of Object.entries(changes)) parameters.set(name, value)
  return `${log}?${parameters.toString().replaceAll('%2C', ',')}`
}

function flightsIn({ count, first, last }, t) {
  if (first === undefined) return t.flights({ count })
  return first === last ? t.flightsOnDay({ count, day: first }) : t.flightsBetween({ count, first, last })
}

function routeCard({ airports, routes }, index, links, t) {
  const { ends, count, planned = 0, distance } = routes[index]
  const [a, b] = ends.map((end) => airports[end])
  const ids = `${a.id},${b.id}`
  return {
    title: `${a.code} – ${b.code}`,
    lines: [
      `${a.city} – ${b.city}`,
      distance,
      flightsIn(routes[index], t),
      planned > 0 && (planned === count ? t.planned : t.somePlanned({ count: planned })),
    ],
    address: addressOf(links, { fromId: ids, toId: ids }),
  }
}

function airlinesOf({ airlines = [], moreAirlines: count = 0 }, t) {
  const names = airlines.join(', ')
  return count > 0 ? t.moreAirlines({ names, count }) : names
}

function airportCard({ airports }, index, links, t) {
  const { code, name, city, visits: count, id } = airports[index]
  return {
    title: code,
    lines: [name, city !== name && city, t.visits({ count }), airlinesOf(airports[index], t)],
    address: addressOf(links, { airportId: id }),
  }
}

export function cards(stage, data, links, t) {
  const card = part('div', '', 'map-card')
  card.setAttribute('role', 'status')
  card.hidden = true
  stage.append(card)
  let held

  function fill({ title, lines, address }, isHeld) {
    const shown = lines.filter(Boolean).map((text) => {
      const line = part('p', text)
      line.dir = 'auto'
      return line
    })
    card.replaceChildren(part('strong', title), ...shown)
    if (isHeld && address) {
      const link = part('a', t.seeFlights)
      link.href = address
      card.append(link)
    }
    card.classList.toggle('held', isHeld)
  }

  function place({ x, y }) {
    const { clientWidth, clientHeight } = stage
    const left = Math.max(8, Math.min(x + 14, clientWidth - card.offsetWidth - 8))
    const below = y + 14 + card.offsetHeight < clientHeight - 8
    const top = Math.max(8, below ? y + 14 : y - 14 - card.offsetHeight)
    card.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`
  }

  return {
    isHeld: () => held !== undefined,
    show({ kind, index }, point, isHeld) {
      fill((kind === 'airports' ? airportCard : routeCard)(data, index, links, t), isHeld)
      held = isHeld ? index : undefined
      card.hidden = false
      place(point)
    },
    hide() {
      held = undefined
      card.hidden = true
    },
  }
}
