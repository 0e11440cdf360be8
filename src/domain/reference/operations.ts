import type * as z from 'zod'
import type { Caller } from '../../access/caller.ts'
import { IdParams, one, page, searchResults, singlePage } from '../../contract/common.ts'
import { type Operation, operation } from '../../contract/operation.ts'
import {
  Aircraft,
  AircraftWrite,
  AirlineDetails,
  AirlineWrite,
  AirportDetails,
  AirportWrite,
  searchQuery,
} from './contract.ts'
import { FlightNumberParams, FlightNumberQuery, FlightSuggestion } from './flight-number-contract.ts'
import type { FlightNumberService } from './flight-number-service.ts'
import type { ReferenceService } from './service.ts'

interface Kind<Row, Write> {
  find: (caller: Caller, query: string) => Promise<{ rows: Row[]; isCorrected: boolean }>
  get: (caller: Caller, id: number) => Row
  create: (caller: Caller, write: Write) => Promise<Row>
  update: (caller: Caller, id: number, write: Write) => Promise<Row>
  remove: (caller: Caller, id: number) => Promise<void>
}

interface Words<Schema extends z.ZodType, Body extends z.ZodType> {
  /** As in operation ids. */
  name: 'Airport' | 'Airline' | 'Aircraft'
  path: string
  noun: string
  plural: string
  searched: string
  record: Schema
  write: Body
}

function kindOperations<Schema extends z.ZodType<{ id: number }>, Body extends z.ZodType>(
  words: Words<Schema, Body>,
  kind: Kind<z.output<Schema>, z.output<Body>>,
): Operation[] {
  const { name, path, noun, plural, searched, record, write } = words
  const tag = 'Reference data'
  const shippedRows = `Only custom ${plural} can be changed; shipped ones return 409.`
  return [
    operation({
      id: name === 'Aircraft' ? 'searchAircraft' : `search${name}s`,
      route: `GET ${path}`,
      tag,
      summary: `Search ${plural}`,
      description: `Use it to find the id of ${noun} for a filter or a flight. Returns the ten best matches for ${searched}, best first; narrow the query to find others. If nothing matches, similar spellings are searched (\`corrected\`).`,
      input: { query: searchQuery(searched) },
      output: searchResults(record),
      run: async (caller, { query }) => {
        const { rows, isCorrected } = await kind.find(caller, query.query)
        return { ...singlePage(rows), ...(isCorrected && { corrected: true }) } as never
      },
    }),
    operation({
      id: `get${name}`,
      route: `GET ${path}/{id}`,
      tag,
      summary: `Read ${noun}`,
      description: 'By the id in a search result or a flight.',
      input: { params: IdParams },
      output: one(record),
      conditional: true,
      run: (caller, { params }) => ({ data: kind.get(caller, params.id) }) as never,
    }),
    operation({
      id: `create${name}`,
      route: `POST ${path}`,
      tag,
      summary: `Add ${noun}`,
      description: `Creates a custom row. Search first, because most ${plural} are in the shipped data.`,
      input: { body: write },
      output: one(record),
      created: (result) => (result as { data: { id: number } }).data.id,
      conflicts: true,
      run: async (caller, { body }) => ({ data: await kind.create(caller, body as z.output<Body>) }) as never,
    }),
    operation({
      id: `update${name}`,
      route: `PUT ${path}/{id}`,
      tag,
      summary: `Replace ${noun}`,
      description: `${shippedRows} Sets every member; absent ones get their default.`,
      input: { params: IdParams, body: write },
      output: one(record),
      conflicts: true,
      run: async (caller, { params, body }) =>
        ({ data: await kind.update(caller, params.id, body as z.output<Body>) }) as never,
    }),
    operation({
      id: `delete${name}`,
      route: `DELETE ${path}/{id}`,
      tag,
      summary: `Delete ${noun}`,
      description: `${shippedRows} Returns 409 if a flight or a custom value uses the row.`,
      input: { params: IdParams },
      output: null,
      conflicts: true,
      run: (caller, { params }) => kind.remove(caller, params.id),
    }),
  ]
}

export function referenceOperations(reference: ReferenceService, flightNumbers: FlightNumberService): Operation[] {
  const kinds = [
    kindOperations(
      {
        name: 'Airport',
        path: '/airports',
        noun: 'an airport',
        plural: 'airports',
        searched: 'an ICAO or IATA code, a part of a name or municipality, or a country code',
        record: AirportDetails,
        write: AirportWrite,
      },
      reference.airports,
    ),
    kindOperations(
      {
        name: 'Airline',
        path: '/airlines',
        noun: 'an airline',
        plural: 'airlines',
        searched: 'a code or a part of a name',
        record: AirlineDetails,
        write: AirlineWrite,
      },
      reference.airlines,
    ),
    kindOperations(
      {
        name: 'Aircraft',
        path: '/aircraft',
        noun: 'an aircraft type',
        plural: 'aircraft types',
        searched: 'a code or a part of a name',
        record: Aircraft,
        write: AircraftWrite,
      },
      reference.aircraft,
    ),
  ]
  const lookUp = operation({
    id: 'lookUpFlightNumber',
    route: 'GET /flight-numbers/{flightNumber}',
    tag: 'Reference data',
    summary: 'Look up a flight number',
    description:
      'Use it to find the airports and the airline of a flight before you create it. Returns at most ten suggestions, best first: your own flights with this number, newest first, one per route (only with `flight.read.own`), then the shipped route of the day, one suggestion per leg. Timetables change, so the user should confirm a suggestion. The list is empty if the number is unknown.',
    input: { params: FlightNumberParams, query: FlightNumberQuery },
    output: page(FlightSuggestion),
    run: (caller, { params, query }) => singlePage(flightNumbers.lookUp(caller, { ...params, ...query })),
  })
  // The contract groups operations by verb.
  const verbs = [0, 1, 2, 3, 4].map((verb) => kinds.map((list) => list[verb]!))
  return [...verbs.slice(0, 2).flat(), lookUp, ...verbs.slice(2).flat()]
}
