import { dayAfter } from '../../lib/dates.ts'
import type { Random } from './random.ts'

export type Person = 'ines' | 'jonas'
type Reason = 'leisure' | 'business' | 'other'
type Precision = 'day' | 'month' | 'year'

/** A way through several airports, on one day or on several. */
export interface Trip {
  who: readonly Person[]
  guests?: readonly string[]
  /** The day of each leg, YYYY-MM-DD. */
  days: readonly string[]
  /** Airports in order, one more than there are legs. */
  way: readonly string[]
  reason: Reason
  cabin?: 'economy+' | 'business'
  /** By the number of the leg. */
  notes?: Readonly<Record<number, string>>
  tracks?: readonly number[]
  precision?: Precision
}

const pad = (value: number) => String(value).padStart(2, '0')
const dayOf = (year: number, month: number, day: number) => `${year}-${pad(month)}-${pad(day)}`

/** The first such weekday on or after a day; 0 is Sunday. */
const weekdayFrom = (day: string, weekday: number) =>
  dayAfter(day, (weekday - new Date(`${day}T00:00:00Z`).getUTCDay() + 7) % 7)

const BOTH = ['ines', 'jonas'] as const
const FRIDAY = 5

interface Holiday extends Omit<Trip, 'who' | 'days' | 'reason'> {
  /** Month and day of the first leg. */
  starts: [month: number, day: number]
  /** Days between the legs. */
  gaps: readonly number[]
}

/** One a year, the oldest first. */
const holidays: Holiday[] = [
  {
    starts: [6, 11],
    way: ['CPH', 'LIS', 'FNC', 'LIS', 'CPH'],
    gaps: [3, 5, 1],
    notes: { 0: 'Primeira viagem juntos. Pastéis de nata ao pequeno-almoço, ao almoço e ao jantar.' },
  },
  {
    starts: [9, 2],
    way: ['CPH', 'KEF', 'CPH'],
    gaps: [9],
    tracks: [0],
    notes: { 0: 'Norðurljós yfir Þingvöllum – og rigning í átta daga.' },
  },
  {
    starts: [3, 28],
    way: ['CPH', 'HEL', 'NRT', 'HEL', 'CPH'],
    gaps: [0, 15, 0],
    notes: { 1: '桜が満開。窓からシベリアの川が見えた。' },
  },
  {
    starts: [11, 8],
    way: ['CPH', 'AMS', 'CPT', 'AMS', 'CPH'],
    gaps: [0, 16, 1],
    notes: { 1: 'Tafelberg gleich nach der Landung – der Wind hielt die Seilbahn drei Tage lang fest.' },
  },
  { starts: [8, 3], way: ['CPH', 'FAE', 'CPH'], gaps: [8], notes: { 0: 'Tåge i Vágar, to forsøg før landing.' } },
  {
    starts: [5, 21],
    way: ['CPH', 'ATH', 'CPH'],
    gaps: [10],
    guests: ['Noor'],
    notes: { 0: 'Η Noor γνώρισε επιτέλους τη θάλασσα.' },
  },
  {
    starts: [4, 9],
    way: ['CPH', 'OSL', 'LYR', 'OSL', 'CPH'],
    gaps: [0, 6, 0],
    notes: { 1: '78° nord. Isbjørnvakt med på tur, -19 °C og sol hele natten.' },
  },
  {
    starts: [10, 5],
    way: ['CPH', 'DXB', 'LAX', 'AKL', 'SYD', 'SIN', 'CPH'],
    gaps: [1, 4, 14, 6, 3],
    cabin: 'economy+',
    tracks: [1, 2],
    notes: {
      1: 'Sixteen hours, and for a while the map showed nothing but the North Pole.',
      2: 'Took off in the evening and landed two days later in the morning: a whole day lost to the date line.',
      5: 'À la maison. Mille photos à trier, zéro envie de défaire les valises.',
    },
  },
  {
    starts: [7, 14],
    way: ['CPH', 'FRA', 'YVR', 'FRA', 'CPH'],
    gaps: [0, 17, 1],
    guests: ['Zoë'],
    notes: { 1: 'Zoë a vu son premier orignal. De loin, heureusement.' },
  },
  {
    starts: [2, 12],
    way: ['CPH', 'ZRH', 'SFO', 'HNL', 'SFO', 'ZRH', 'CPH'],
    gaps: [1, 3, 10, 1, 1],
    notes: { 2: 'Mahalo. Żółw morski przy plaży, pięć metrów od ręcznika.' },
  },
  { starts: [5, 8], way: ['CPH', 'DUB', 'CPH'], gaps: [4], guests: ['Édith'] },
]

const smallNotes = [
  'Forsinket på grund af is på vingerne.',
  'Fensterplatz über den Alpen, klare Sicht bis zum Mont Blanc.',
  'Très mauvais café, très beau coucher de soleil.',
  'Go-around at the first attempt; the captain explained it well.',
  'Mødte en gammel klassekammerat på række 14.',
  'Koffer kam erst am nächsten Tag an.',
  'Jegyet az utolsó pillanatban vettem.',
]

/** From precise to vague: what one still knows of journeys before the log began. */
function longAgo(year: number): Trip[] {
  const trip = (who: Person, day: string, precision: Precision, way: string[], note?: string): Trip => ({
    who: [who],
    days: way.slice(1).map(() => day),
    way,
    precision,
    reason: 'leisure',
    ...(note !== undefined && { notes: { 0: note } }),
  })
  return [
    trip(
      'ines',
      dayOf(year - 22, 1, 1),
      'year',
      ['CPH', 'AGP', 'CPH'],
      'Min første flyvetur. Jeg måtte se cockpittet.',
    ),
    trip('jonas', dayOf(year - 15, 6, 1), 'month', ['ZRH', 'LHR', 'ZRH'], 'Maturareise.'),
    trip('ines', dayOf(year - 13, 2, 1), 'month', ['CPH', 'BKK', 'CPH']),
    trip('jonas', dayOf(year - 12, 9, 1), 'month', ['ZRH', 'JFK'], 'Zurück mit dem Schiff.'),
  ]
}

function holidayOf(year: number, { starts, gaps, ...holiday }: Holiday): Trip {
  let day = dayOf(year, ...starts)
  const days = [day, ...gaps.map((gap) => (day = dayAfter(day, gap)))]
  return { ...holiday, who: BOTH, days, reason: 'leisure' }
}

const weekend = (who: Person, home: string, away: string, friday: string): Trip => ({
  who: [who],
  days: [friday, dayAfter(friday, 2)],
  way: [home, away, home],
  reason: 'leisure',
})

/** Ines lives in Copenhagen and Jonas in Zürich: they take turns. */
function weekendsOf(year: number, random: Random): Trip[] {
  return [1, 2, 4, 5, 8, 10, 12].map((month, index) => {
    const friday = weekdayFrom(dayOf(year, month, random.whole(1, 20)), FRIDAY)
    return index % 2 === 0 ? weekend('ines', 'CPH', 'ZRH', friday) : weekend('jonas', 'ZRH', 'CPH', friday)
  })
}

/** Jonas has moved, his employer has not. */
function commutesOf(year: number, random: Random): Trip[] {
  return [2, 4, 6, 9, 11].map((month) => {
    const monday = weekdayFrom(dayOf(year, month, random.whole(1, 20)), 1)
    return {
      who: ['jonas'],
      days: [monday, dayAfter(monday, 3)],
      way: ['CPH', 'ZRH', 'CPH'],
      reason: 'business',
    }
  })
}

/** Two customers a year, now and then one across the ocean. */
function businessOf(year: number, random: Random): Trip[] {
  const customers = ['LHR', 'ARN', 'OSL', 'AMS', 'CDG', 'HEL', 'EWR']
  return [3, 10].map((month) => {
    const tuesday = weekdayFrom(dayOf(year, month, random.whole(12, 20)), 2)
    const customer = random.pick(customers)
    return {
      who: ['ines'],
      days: [tuesday, dayAfter(tuesday, customer === 'EWR' ? 4 : 2)],
      way: ['CPH', customer, 'CPH'],
      reason: 'business',
      ...(customer === 'EWR' && { cabin: 'business' as const }),
    }
  })
}

const YEARS = 10
const TOGETHER_FROM = 5

/** Booked already; the day is counted from today. */
function upcoming(today: string): Trip[] {
  const [soon, later] = [dayAfter(today, 19), dayAfter(today, 68)]
  return [
    { who: ['jonas'], days: [soon, dayAfter(soon, 3)], way: ['CPH', 'ZRH', 'CPH'], reason: 'business' },
    {
      who: BOTH,
      days: [later, dayAfter(later, 9)],
      way: ['CPH', 'KEF', 'CPH'],
      reason: 'leisure',
      notes: { 0: 'Endlich wieder Polarlichter. Diesmal mit Regenjacke.' },
    },
  ]
}

/** What happened once: Jonas moved, and before that he was sent to Brazil twice. */
function singleTrips(first: number): Trip[] {
  const brazil = [1, 3].map((index): Trip => {
    const day = dayOf(first + index, 5, 14)
    return {
      who: ['jonas'],
      days: [day, dayAfter(day, 6)],
      way: ['ZRH', 'GRU', 'ZRH'],
      reason: 'business',
      cabin: 'business',
    }
  })
  const moved: Trip = {
    who: ['jonas'],
    days: [dayOf(first + TOGETHER_FROM, 1, 30)],
    way: ['ZRH', 'CPH'],
    reason: 'other',
    notes: { 0: 'Umzug: ein Weg, drei Koffer, ein Cello.' },
  }
  return [...brazil, moved]
}

/** Nobody is on two journeys at once: of those that collide the first in the list is made. */
function withoutCollisions(trips: readonly Trip[]): Trip[] {
  const made: Trip[] = []
  for (const trip of trips) {
    const [from, to] = [dayAfter(trip.days[0]!, -2), dayAfter(trip.days.at(-1)!, 2)]
    const collides = made.some(
      ({ who, days }) => who.some((person) => trip.who.includes(person)) && days[0]! <= to && days.at(-1)! >= from,
    )
    if (!collides) made.push(trip)
  }
  return made
}

/** Ten years in the life of two people, up to this day, and what they have booked. */
export function tripsUntil(today: string, random: Random): Trip[] {
  const year = Number(today.slice(0, 4))
  const first = year - YEARS
  const years = holidays.map((_, index) => first + index)
  const usual = years.flatMap((now, index) => [
    ...(index < TOGETHER_FROM ? weekendsOf(now, random) : commutesOf(now, random)),
    ...businessOf(now, random),
  ])
  const lived = [
    ...holidays.map((holiday, index) => holidayOf(first + index, holiday)),
    ...singleTrips(first),
    ...usual,
  ]
  const past = [...longAgo(year), ...lived].filter(({ days }) => days.at(-1)! < today)
  return withoutCollisions([...past, ...upcoming(today)]).toSorted((a, b) => (a.days[0]! < b.days[0]! ? -1 : 1))
}

export const smallNote = (random: Random): string => random.pick(smallNotes)
