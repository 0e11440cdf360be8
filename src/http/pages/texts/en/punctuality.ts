import { plural } from '../message.ts'

export const punctuality = {
  title: 'Punctuality',
  departure: 'Departures',
  arrival: 'Arrivals',
  flights: 'Flights',
  early: 'Early',
  onTime: 'On time',
  late: '15 minutes late or more',
  median: 'Median',
  average: 'Average',
  delayLate: '{time} late',
  delayEarly: '{time} early',
  noDelay: 'on time',
  largestDelay: 'Largest delay: <link>{from} → {to}</link> on {day}, {delay}.',
  basedOn: plural({ one: 'Based on {count} flight.', other: 'Based on {count} flights.' }),
  lost: 'Late arrivals cost you {time} in total.',
} as const
