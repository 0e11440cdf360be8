import sjson from 'secure-json-parse'
import * as z from 'zod'
import { CalendarDay, exampleOf, Instant } from '../../contract/common.ts'
import { english } from '../../messages/english.ts'
import { CustomValues } from '../custom-fields/contract.ts'
import {
  datePrecisions,
  Flight,
  flightReasons,
  noTimes,
  scopeChoice,
  seatClasses,
  seats,
  timePairs,
  userNeeded,
} from '../flights/contract.ts'
import { filterShape, inOrder } from '../flights/query/filter-contract.ts'
import { TrackWrite } from '../flights/tracks/contract.ts'
import { exportedAircraft, exportedAirline, exportedFlight } from './document.ts'
import { csvFields, dateFormats } from './formats/csv-fields.ts'
import { formatNames } from './formats/registry.ts'
import { type CellEdits, MAX_REASONS } from './formats/row.ts'

const Text = z.string().nullable()

export const ExportedUser = z.object({ id: z.string(), displayName: z.string(), username: z.string() })

export const ExportedAirport = z.object({
  icao: z.string(),
  iata: Text,
  lat: z.number(),
  lon: z.number(),
  tz: z.string(),
  name: z.string(),
  municipality: Text,
  type: z.string(),
  continent: z.string(),
  country: z.string(),
  custom: z.boolean(),
})

const ExportedAirline = z.object({ name: z.string(), icao: Text, iata: Text, iconPath: Text, sourceId: Text })
const ExportedAircraft = z.object({ name: z.string(), icao: Text, sourceId: Text })

const ExportedPassenger = z.object({
  userId: Text,
  guestName: Text,
  seat: z.enum(seats).nullable(),
  seatNumber: Text,
  seatClass: z.enum(seatClasses).nullable(),
  flightReason: z.enum(flightReasons).nullable(),
  user: ExportedUser.nullable(),
  customFields: CustomValues.optional(),
})

const times = Object.fromEntries(timePairs.flat().map((name) => [name, Instant.nullable()]))

const ExportedFlight = z.object({
  date: CalendarDay,
  datePrecision: z.enum(datePrecisions),
  ...times,
  duration: z.int().nullable(),
  departureTerminal: Text,
  departureGate: Text,
  arrivalTerminal: Text,
  arrivalGate: Text,
  flightNumber: Text,
  aircraftReg: Text,
  note: Text,
  from: ExportedAirport,
  to: ExportedAirport,
  airline: ExportedAirline.nullable(),
  aircraft: ExportedAircraft.nullable(),
  passengers: z.array(ExportedPassenger),
  track: TrackWrite.optional(),
  customFields: CustomValues.optional(),
})

const example = exampleOf(Flight) as Flight
const flightExample = exportedFlight(
  { ...example, ...noTimes },
  {
    airline: exportedAirline(example.airline!, null),
    aircraft: exportedAircraft(example.aircraft!, null),
    track: undefined,
    customFields: undefined,
    passengerFields: new Map(),
  },
)

export const ExportDocument = z.object({ users: z.array(ExportedUser), flights: z.array(ExportedFlight) }).meta({
  id: 'ExportDocument',
  description: 'A backup that any Paxlog instance can import.',
  examples: [{ users: flightExample.passengers.map(({ user }) => user), flights: [flightExample] }],
})

export const ExportText = z.string().meta({ examples: ['users: []\nflights: []\n'] })

const exportFormat = {
  format: z
    .enum(['json', 'yaml', 'yml', ''])
    .default('json')
    .transform((text) => (text.startsWith('y') ? ('yaml' as const) : ('json' as const)))
    .meta({
      override: { type: 'string', enum: ['json', 'yaml', 'yml'], default: 'json' },
      description: 'Format of the document; `yml` means `yaml`.',
    }),
}

export const ExportQuery = z
  .object({ ...scopeChoice, ...filterShape, ...exportFormat })
  .refine(...userNeeded)
  .refine(...inOrder)
export type ExportQuery = z.output<typeof ExportQuery>

/** Without the filter, whose parameters the legacy API does not know. */
export const UnfilteredExportQuery = z.object({ ...scopeChoice, ...exportFormat }).refine(...userNeeded)
export type UnfilteredExportQuery = z.output<typeof UnfilteredExportQuery>

const truth = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .meta({ override: { type: 'boolean' } })

const MAX_COLUMNS_LENGTH = 2000

const CsvColumns = z.partialRecord(z.enum(csvFields), z.string().trim().min(1).nullable())

function parsedJson(text: string, context: z.RefinementCtx): unknown {
  try {
    // Refuses keys that could reach a prototype.
    return sjson.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: english.import.columnsNotAnObject })
    return z.NEVER
  }
}

export const ImportQuery = z.object({
  format: z
    .enum(['auto', ...formatNames])
    .default('auto')
    .meta({ description: 'Program that created the file.' }),
  mode: z
    .enum(['personal', 'restore'])
    .optional()
    .meta({ description: 'Only for a backup: import into your own log (the default), or the flights of all users.' }),
  dryRun: truth.default(false).meta({
    override: { type: 'boolean', default: false },
    description: 'Report what would happen and save nothing.',
  }),
  fileUser: z.string().optional().meta({
    description: 'Only for a personal backup: id or username of the user in the file whose flights are imported.',
  }),
  mineOnly: truth
    .optional()
    .meta({ description: 'Only for appintheair and byair: reject flights of other travellers (the default).' }),
  columns: z
    .string()
    .max(MAX_COLUMNS_LENGTH)
    .transform(parsedJson)
    .pipe(CsvColumns)
    .optional()
    .meta({
      override: { type: 'string', maxLength: MAX_COLUMNS_LENGTH },
      description: `Only for csv: JSON object from field to header of the file, or null to ignore a column. Without it, columns are recognised by their headers. Fields: ${csvFields.join(', ')}.`,
      examples: ['{"date":"Day","from":"Start","to":"End"}'],
    }),
  dateFormat: z.enum(dateFormats).optional().meta({
    description: 'Only for csv: order of year, month and day. Detected if the dates allow one reading only.',
  }),
})
export type ImportQuery = z.output<typeof ImportQuery>

/** Pages can also map unknown airports of the file to airports, and replace cells of a table. */
export interface ImportOrder extends ImportQuery {
  airports?: Readonly<Record<string, number>>
  edits?: CellEdits | undefined
}

export const ImportReport = z
  .object({
    rows: z.int(),
    created: z.int(),
    duplicates: z.int(),
    rejected: z.array(
      z.object({
        row: z.int().meta({ description: 'Position of the record, from 1, without a header.' }),
        reason: z.string().meta({ description: 'The first of the reasons.' }),
        line: z.int().meta({
          description:
            'Line as a spreadsheet shows it, the header being line 1. JSON and calendar records count from 1.',
        }),
        reasons: z.array(z.string()).meta({ description: `All problems of the row, at most ${MAX_REASONS}.` }),
      }),
    ),
    dryRun: z.boolean(),
  })
  .meta({
    id: 'ImportReport',
    description: 'Every row of the file has exactly one outcome.',
    examples: [
      {
        rows: 3,
        created: 1,
        duplicates: 1,
        rejected: [
          {
            row: 3,
            reason: 'Airport code XXQ is not known.',
            line: 4,
            reasons: ['Airport code XXQ is not known.', 'Airport code XXR is not known.'],
          },
        ],
        dryRun: false,
      },
    ],
  })
export type ImportReport = z.output<typeof ImportReport>
