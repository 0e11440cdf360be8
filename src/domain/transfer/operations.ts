import { one } from '../../contract/common.ts'
import { operation } from '../../contract/operation.ts'
import { concernsOthers } from '../flights/query/target.ts'
import { ExportDocument, ExportQuery, ExportText, ImportQuery, ImportReport } from './contract.ts'
import type { ExportService } from './export.ts'
import type { ImportService } from './import.ts'

export function transferOperations(exports: ExportService, imports: ImportService) {
  return [
    operation({
      id: 'exportFlights',
      route: 'GET /flights/export',
      tag: 'Flights',
      summary: 'Export flights as one document',
      description:
        'Returns a whole log with tracks and custom values as a backup; to read flights, list them. The document has no envelope. As JSON it can be imported again.',
      input: { query: ExportQuery },
      output: ExportDocument,
      early: (query, caller) => ({ otherUsers: concernsOthers(caller, query) }),
      alsoAs: { 'application/yaml': ExportText },
      run: (caller, { query }) => exports.run(caller, query),
    }),
    operation({
      id: 'importFlights',
      route: 'POST /flights/import',
      tag: 'Flights',
      summary: 'Import a file of another flight log, or a backup',
      description:
        'The request body is the file itself, not a form; `dryRun` reports what would happen. Every row has exactly one outcome: created, a duplicate of a flight in the log or of an earlier row, or rejected with its reasons. Any CSV file with a date, an origin and a destination can be imported (format `csv`). Importing a file twice creates nothing the second time.',
      input: {
        query: ImportQuery,
        file: {
          types: ['application/octet-stream'],
          argument: 'content',
          description: 'The file itself, not a form.',
        },
      },
      output: one(ImportReport),
      early: ({ mode }) => ({ restore: mode === 'restore' }),
      idempotent: {},
      run: async (caller, { query, file }, { once } = {}) => ({
        data: await imports.run(caller, file, query, { key: once?.key }),
      }),
    }),
  ]
}
