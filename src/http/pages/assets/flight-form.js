// Comfort for the form of a flight; it does its work without this file.

const DAY = 86_400_000
const field = (name) => document.getElementById(name)

// Whoever comes to add a flight types its number; where letters appear on the screen, only once they ask for them.
const isEmpty =
  field('flightNumber').value === '' && location.pathname.endsWith('/new') && !document.querySelector('.summary')
if (isEmpty && matchMedia('(hover: hover)').matches && document.activeElement === document.body) {
  field('flightNumber').focus({ preventScroll: true })
}

// On a phone what has values is folded too, and says them; not where something is asked, or somebody was sent to it.
if (matchMedia('(max-width: 40rem)').matches && !location.hash) {
  for (const fold of document.querySelectorAll('[data-fold="phone"]')) fold.open = false
}

/** How far the clocks of a zone are ahead of UTC at an instant. */
function offsetOf(zone, instant) {
  const shape = { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' }
  const parts = new Intl.DateTimeFormat('en-US', { ...shape, hour: 'numeric', minute: 'numeric' }).formatToParts(
    instant,
  )
  const { year, month, day, hour, minute } = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]))
  return Date.UTC(year, month - 1, day, hour, minute) - instant
}

function instantOf(day, clock, zone) {
  const local = Date.parse(`${day}T${clock}Z`)
  return local - offsetOf(zone, local - offsetOf(zone, local))
}

const dayAfter = (day, days) => new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)

/** The day of arrival is entered where the clocks can mean no other one; who changes it has the last word. */
function countNights() {
  const arrivalDay = field('arrival.day')
  const shown = field('nights')
  let counted
  const zoneOf = (name) => field(name).closest('.lookup').dataset.zone

  function meantDay(day) {
    const [leaves, lands] = [field('departure.clock').value, field('arrival.clock').value]
    const [from, to] = [zoneOf('from'), zoneOf('to')]
    if (!day || !leaves || !lands || !from || !to) return ''
    const start = instantOf(day, leaves, from)
    // Over the date line one may land on the day before.
    for (const nights of [-1, 0, 1, 2]) {
      const landed = dayAfter(day, nights)
      if (instantOf(landed, lands, to) > start) return nights === 0 ? '' : landed
    }
    return ''
  }

  const departed = () => field('departure.day').value || field('date').value

  function tell() {
    const nights = departed() && arrivalDay.value ? (Date.parse(arrivalDay.value) - Date.parse(departed())) / DAY : 0
    shown.textContent = nights === 0 ? '' : `${nights > 0 ? '+' : '−'}${Math.abs(nights)}`
  }

  function count() {
    // A day that a person has entered stays, until it is taken out again.
    if (arrivalDay.value === '' || arrivalDay.value === counted) {
      counted = meantDay(departed())
      arrivalDay.value = counted
    }
    tell()
  }

  for (const name of ['date', 'departure.day', 'departure.clock', 'arrival.clock']) {
    field(name).addEventListener('change', count)
  }
  arrivalDay.addEventListener('change', () => {
    counted = undefined
    tell()
  })
  for (const name of ['from', 'to']) field(name).closest('.lookup').addEventListener('chosen', count)
}

countNights()

/** Offers what the number stands for on that day, while it is typed; nothing is filled in before somebody takes it. */
function offerFlights() {
  const place = field('found')
  const status = place.querySelector('[role="status"]')
  const list = place.querySelector('ul')
  const [number, date] = [field('flightNumber'), field('date')]
  let waiting
  let latest = 0

  function take({ label, ...parts }) {
    for (const name of ['from', 'to', 'airline']) {
      const box = field(name).closest('.lookup')
      if (parts[name]) box.dispatchEvent(new CustomEvent('choose', { detail: parts[name] }))
    }
    if (parts.airline) field('airline').closest('details').open = true
    list.replaceChildren()
    status.textContent = `${label}: taken.`
    field('departure.clock').focus()
  }

  function itemOf(option) {
    const item = document.createElement('li')
    const button = document.createElement('button')
    const more = document.createElement('span')
    more.className = 'quiet'
    more.textContent = option.detail
    button.type = 'button'
    if (option.isUncertain) button.className = 'unsure'
    button.append(option.label, ' ', more)
    button.addEventListener('click', () => take(option))
    item.append(button)
    return item
  }

  const isThere = ({ from, to }) => field('from').value === from.label && field('to').value === to.label

  async function look() {
    const turn = ++latest
    const text = number.value.trim()
    list.replaceChildren()
    status.textContent = ''
    if (!/\d/.test(text) || text.length < 3) return
    status.textContent = 'Looking up the number.'
    try {
      const query = new URLSearchParams({ number: text, date: date.value })
      const answer = await fetch(`${place.dataset.numbers}?${query}`, { redirect: 'error' })
      const found = answer.ok ? await answer.json() : []
      if (turn !== latest) return
      const offered = found.filter((option) => !isThere(option))
      list.replaceChildren(...offered.map(itemOf))
      status.textContent =
        offered.length > 0 ? 'Is it this one?' : found.length > 0 ? '' : 'Nothing is known of this number.'
    } catch {
      // Signed out, or without a network: the form is filled in by hand.
      status.textContent = ''
    }
  }

  place.querySelector('button[name="lookUp"]').hidden = true
  for (const input of [number, date]) {
    input.addEventListener('input', () => {
      clearTimeout(waiting)
      waiting = setTimeout(look, 300)
    })
  }
}

offerFlights()
