import { formSpecs } from '../../framework/forms.ts'

/** The plain fields of a flight; airports, times and travellers have shapes of their own. */
export const flightSpecs = formSpecs({
  flightNumber: { id: 'flightNumber', label: 'Flight number', verbatim: true },
  date: { id: 'date', label: 'Date', type: 'date', required: true },
  datePrecision: {
    id: 'datePrecision',
    label: 'What is known of the date',
    hint: 'Of a month or a year, any day will do.',
    kind: 'select',
    options: [
      { value: 'day', label: 'The day' },
      { value: 'month', label: 'Only the month' },
      { value: 'year', label: 'Only the year' },
    ],
  },
  aircraftReg: { id: 'aircraftReg', label: 'Registration', verbatim: true },
  departureTerminal: { id: 'departureTerminal', label: 'Departure terminal' },
  departureGate: { id: 'departureGate', label: 'Departure gate' },
  arrivalTerminal: { id: 'arrivalTerminal', label: 'Arrival terminal' },
  arrivalGate: { id: 'arrivalGate', label: 'Arrival gate' },
  duration: {
    id: 'duration',
    label: 'Duration',
    hint: 'Hours and minutes, such as 2:55. Left empty, it is counted from departure to arrival.',
  },
  note: { id: 'note', label: 'Note', kind: 'area' },
})

/** Texts that are kept as they are typed. */
export const plainTexts = [
  'departureTerminal',
  'departureGate',
  'arrivalTerminal',
  'arrivalGate',
  'flightNumber',
  'aircraftReg',
  'note',
] as const satisfies readonly (keyof typeof flightSpecs)[]
