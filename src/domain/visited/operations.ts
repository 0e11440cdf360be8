import { one, page, singlePage } from '../../contract/common.ts'
import { operation } from '../../contract/operation.ts'
import { CountryRecord, VisitedCountry, VisitedCountryQuery, VisitedCountryWrite } from './contract.ts'
import type { VisitedService } from './service.ts'

const tag = 'Personal data'

export function visitedOperations(visited: VisitedService) {
  return [
    operation({
      id: 'listVisitedCountries',
      route: 'GET /visited-countries',
      tag,
      summary: 'List your visited countries',
      description: 'Countries entered manually, sorted by code; they are not derived from flights.',
      input: {},
      output: page(VisitedCountry),
      run: (caller) => singlePage(visited.list(caller)),
    }),
    operation({
      id: 'putVisitedCountry',
      route: 'PUT /visited-countries',
      tag,
      summary: 'Store or replace the record of a country',
      description: 'One record per country, identified by its ISO 3166-1 alpha-2 code; an absent note is removed.',
      input: { body: VisitedCountryWrite },
      output: one(VisitedCountry),
      run: async (caller, { body }) => ({ data: await visited.put(caller, body) }),
    }),
    operation({
      id: 'deleteVisitedCountry',
      route: 'DELETE /visited-countries',
      tag,
      summary: 'Remove the record of a country',
      description: 'Succeeds even without a record. Flights are not changed.',
      input: { query: VisitedCountryQuery },
      output: null,
      run: (caller, { query }) => visited.remove(caller, query.code),
    }),
    operation({
      id: 'listCountries',
      route: 'GET /countries',
      tag,
      summary: 'List the countries of your flights and records',
      description:
        'Every country in which one of your completed flights begins or ends, and every country with a record of your own, sorted by code. `status` and `note` come from your record.',
      input: {},
      output: page(CountryRecord),
      conditional: true,
      run: async (caller) => singlePage(await visited.countries(caller)),
    }),
  ]
}
