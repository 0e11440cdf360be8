// Optional: the flight form works without this script.

const DAY = 86_400_000
const field = (name) => document.getElementById(name)

// Focuses the flight number of a new flight, except where that would open an on-screen keyboard.
const isEmpty =
  field('flightNumber').value === '' && location.pathname.endsWith('/new') && !document.querySelector('.summary')
if (isEmpty && matchMedia('(hover: hover)').matches && document.activeElement === document.body) {
  field('flightNumber').focus({ preventScroll: true })
}

// On a phone, sections with values are folded too, unless a link leads to one of their fields.
if (matchMedia('(max-width: 40rem)').matches && !location.hash) {
  for (const fold of document.querySelectorAll('[data-fold="phone"]')) fold.open = false
}

/** The offset of a zone from UTC at an instant; Swedish dates are ISO 8601. */
function offsetOf(zone, instant) {
  const local = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  return Date.parse(`${local.format(instant).replace(' ', 'T')}Z`) - instant
}

function instantOf(day, clock, zone) {
  const local = Date.parse(`${day}T${clock}Z`)
  return local - offsetOf(zone, local - offsetOf(zone, local))
}

const dayAfter = (day, days) => new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)

/** Fills in the arrival day if the times allow only one, unless the user has entered it. */
function fillArrivalDay() {
  const arrivalDay = field('arrival.day')
  const shown = field('nights')
  let counted
  const zoneOf = (name) => field(name).closest('.lookup').dataset.zone

  function dayOfArrival(day) {
    const [leaves, lands] = [field('departure.clock').value, field('arrival.clock').value]
    const [from, to] = [zoneOf('from'), zoneOf('to')]
    if (!day || !leaves || !lands || !from || !to) return ''
    const start = instantOf(day, leaves, from)
    // Across the date line a flight can land on the day before.
    for (const nights of [-1, 0, 1, 2]) {
      const landed = dayAfter(day, nights)
      if (instantOf(landed, lands, to) > start) return nights === 0 ? '' : landed
    }
    return ''
  }

  const departed = () => field('departure.day').value || field('date').value

  function showNights() {
    const nights = departed() && arrivalDay.value ? (Date.parse(arrivalDay.value) - Date.parse(departed())) / DAY : 0
    shown.textContent = nights === 0 ? '' : `${nights > 0 ? '+' : '−'}${Math.abs(nights)}`
  }

  function count() {
    // Keeps a day that the user has entered.
    if (arrivalDay.value === '' || arrivalDay.value === counted) {
      counted = dayOfArrival(departed())
      arrivalDay.value = counted
    }
    showNights()
  }

  for (const name of ['date', 'departure.day', 'departure.clock', 'arrival.clock']) {
    field(name).addEventListener('change', count)
  }
  arrivalDay.addEventListener('change', () => {
    counted = undefined
    showNights()
  })
  for (const name of ['from', 'to']) field(name).closest('.lookup').addEventListener('chosen', count)
}

fillArrivalDay()

/** Suggests flights for the number and the date while the user types. */
function offerFlights() {
  const place = field('found')
  const status = place.querySelector('[role="status"]')
  const list = place.querySelector('ul')
  const texts = JSON.parse(place.dataset.texts)
  const [number, date] = [field('flightNumber'), field('date')]
  let waiting
  let latest = 0

  function fillIn({ label, ...parts }) {
    for (const name of ['from', 'to', 'airline']) {
      const box = field(name).closest('.lookup')
      if (parts[name]) box.dispatchEvent(new CustomEvent('choose', { detail: parts[name] }))
    }
    list.replaceChildren()
    status.textContent = texts.filledIn.replace('{label}', () => label)
    field('departure.clock').focus()
  }

  function itemOf(option) {
    const item = document.createElement('li')
    const button = document.createElement('button')
    const detail = Object.assign(document.createElement('span'), { className: 'quiet', textContent: option.detail })
    button.type = 'button'
    if (option.isUncertain) button.className = 'unsure'
    button.append(option.label, ' ', detail)
    button.addEventListener('click', () => fillIn(option))
    item.append(button)
    return item
  }

  const isFilledIn = ({ from, to }) => field('from').value === from.label && field('to').value === to.label

  async function lookUp() {
    const turn = ++latest
    const text = number.value.trim()
    list.replaceChildren()
    status.textContent = ''
    if (!/\d/.test(text) || text.length < 3) return
    status.textContent = texts.searching
    try {
      const query = new URLSearchParams({ number: text, date: date.value })
      const answer = await fetch(`${place.dataset.numbers}?${query}`, { redirect: 'error' })
      const found = answer.ok ? await answer.json() : []
      if (turn !== latest) return
      const offered = found.filter((option) => !isFilledIn(option))
      list.replaceChildren(...offered.map(itemOf))
      if (offered.length > 0) status.textContent = texts.isYours
      else status.textContent = found.length > 0 ? '' : texts.notFound
    } catch {
      // Signed out or offline.
      status.textContent = ''
    }
  }

  // Enter accepts a flight that was found, unless the user has entered a route.
  function acceptFirst(event) {
    const first = list.querySelector('button:not(.unsure)')
    if (event.key !== 'Enter' || !first || field('from').value || field('to').value) return
    event.preventDefault()
    first.click()
  }

  place.querySelector('button[name="lookUp"]').hidden = true
  for (const input of [number, date]) {
    input.addEventListener('keydown', acceptFirst)
    input.addEventListener('input', () => {
      clearTimeout(waiting)
      waiting = setTimeout(lookUp, 300)
    })
  }
}

offerFlights()
