import { plural } from '../message.ts'

export const flightList = {
  comingUp: 'Coming up',
  underWay: 'under way',
  today: 'today',
  tomorrow: 'tomorrow',
  inDays: plural({ one: 'in {count} day', other: 'in {count} days' }),
  titleOfPage: '{flights}<quiet>, page {page}</quiet>',
  jumpToYear: 'Jump to year',
  year: '{flights}, {distance}',
  fromTo: ' to ',
  layover: '{duration} in <place>{city}</place>',
  pages: 'Pages of the log',
  noFlights: 'No flights yet. <link>Add or import your first flight</link>.',
} as const
