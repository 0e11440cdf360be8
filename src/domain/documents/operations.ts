import { page, singlePage } from '../../contract/common.ts'
import { operation } from '../../contract/operation.ts'
import { MAX_DOCUMENT_BYTES, TravelDocumentQuery, TravelItem } from './contract.ts'
import { documentTypes } from './readers/registry.ts'
import type { DocumentService } from './service.ts'

export function documentOperations(documents: DocumentService) {
  return [
    operation({
      id: 'readTravelDocument',
      route: 'POST /flights/read',
      tag: 'Flights',
      summary: 'Read flights from a boarding pass, e-mail or calendar',
      description:
        'Reads the text of a boarding pass barcode (one pass per line), an Apple Wallet pass, a confirmation e-mail, HTML or JSON with schema.org data, or a calendar file, and stores nothing. To log a flight, send `flight` of an item to `createFlight` if `unresolved` is empty and `duplicateOf` is null. At most 50 flights.',
      input: {
        query: TravelDocumentQuery,
        file: {
          types: documentTypes,
          maxBytes: MAX_DOCUMENT_BYTES,
          argument: 'text',
          description:
            'The document itself. Its format is recognized by its content if the content type does not name it.',
        },
      },
      output: page(TravelItem),
      run: async (caller, { query, file }, { contentType } = {}) =>
        singlePage(await documents.read(caller, { content: file, contentType, date: query.date })),
    }),
  ]
}
