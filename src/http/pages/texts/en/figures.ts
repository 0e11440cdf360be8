export const figures = {
  flights: 'Flights',
  distance: 'Distance',
  timeInAir: 'Time in the air',
  airports: 'Airports',
  mostFlown: 'Most flown',
} as const
