import type { OpenAPIV3_1 } from 'openapi-types'
import { samples } from '../../domain/documents/samples.ts'
import { mutatedDocument } from '../../support/mutated-document.ts'
import { credentialPicker } from './credentials.ts'
import type { FuzzRequest } from './exchange.ts'
import { bodyOf, parameters, parameterText, type Random, type Schema, valueMaker } from './values.ts'
import type { World } from './world.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
}

interface Operation {
  id: string
  method: string
  path: string
  parameters: Parameter[]
  body: Schema | undefined
}

const methods = ['get', 'post', 'put', 'delete'] as const

export function operationsOf(document: OpenAPIV3_1.Document): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const found = item?.[method]
      if (!found) return []
      const content = Object.values((found.requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content ?? {})[0]
      return {
        id: found.operationId!,
        method: method.toUpperCase(),
        path,
        parameters: (found.parameters ?? []) as unknown as Parameter[],
        body: content?.schema as Schema | undefined,
      }
    }),
  )
}

const FILES = [
  'date,from,to\n2025-05-03,ZRH,LIS\n',
  'Date,From,To,Dep_time,Arr_time,Flight_class\n2025-05-03,"Zurich (ZRH/LSZH)","Lisbon (LIS/LPPT)",10:00:00,12:00:00,1\n',
  '{"users":[{"id":"a","username":"owner","displayName":"O"}],"flights":[{"date":"2025-05-03","from":{"icao":"LSZH"},"to":{"icao":"LPPT"},"passengers":[{"userId":"a"}]}]}',
  'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:LX2084 ZRH to LIS\r\nDTSTART:20250503T102000Z\r\nDTEND:20250503T131500Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  'date,origin,destination,ticket_class\n2025-05-03,LSZH,LPPT,economy\n',
  'Tag;Start;Ende;Abflug\n03/05/2025;Zürich;Lissabon;8.05 PM\n13/05/2025;London;zrh;\n',
  'Flight date\tOrigin\tDestination\tNote\n3 May 2025\tGenf\tQQQ\t=1+1\n',
  '{"SegmentListResponses":[{"DepartureDate":"2025-05-03","OriginAirportCode":"ZRH","DestinationAirportCode":"LIS"}]}',
  '',
  '\0\0\0',
  '[[[[',
]

/** Of the parameter of an import, whose schema is only text. */
const COLUMNS = [
  '{"date":"Tag","from":"Start","to":"Ende"}',
  '{"date":"tag","from":"START","to":"ende","departure":"Tag","note":null}',
  '{"date":"","from":1}',
  '{"__proto__":"Tag"}',
  '{"gate":"Tag"}',
  '[]',
  'null',
  '{',
]

/** Requests for every operation of the document, mostly valid with some errors. */
export function apiRequests(document: OpenAPIV3_1.Document, world: World, random: Random) {
  const { pick, next, below } = random
  const operations = operationsOf(document)
  const sample = valueMaker((document.components?.schemas ?? {}) as Record<string, Schema>, world.ids, random)
  const credential = credentialPicker(world, random)
  const { ids } = world

  function idFor(path: string): string | number {
    if (path.includes('/users/')) return pick(ids.users)
    if (path.includes('/roles/')) return pick(ids.roles)
    if (path.includes('/airports/')) return pick([...ids.airports, 90_000 + below(50)])
    return 1 + below(path.includes('/flights/') ? 450 : 40)
  }

  function pathOf({ path }: Operation): string {
    const filled = path.replace(/\{\w+\}/g, () => parameterText(idFor(path), random).replaceAll('/', '%2F'))
    const dice = next()
    if (dice < 0.93) return filled
    return pick([
      `/${filled}`,
      `${filled}/`,
      filled.replaceAll('/', '//'),
      `${filled}/../me`,
      `${filled}/x`,
      filled.replace('v1', '%76%31'),
      `${filled}%2f`,
      `${filled};a=b`,
      filled.toUpperCase(),
      `${filled}%`,
    ])
  }

  function queryOf({ parameters: declared }: Operation): string {
    const chosen = declared.filter(
      ({ in: place, required }) => place === 'query' && (next() < 0.4 || (required && next() < 0.9)),
    )
    const query = parameters(
      chosen.map(({ name, schema }) => [name, name === 'columns' ? pick(COLUMNS) : sample(schema, name)] as const),
      random,
    )
    return query === '' ? '' : `?${query}`
  }

  const fileOf = () => {
    const text = pick(FILES)
    return Buffer.from(
      next() < 0.6
        ? text
        : text.slice(0, below(text.length + 1)) + pick(['\ud800', '"', '\0', ',,,,', '\n\n', '\u2028']) + text,
    )
  }

  const documentOf = () => mutatedDocument(pick(samples).content, random)

  const documentTypes = (): (readonly [string, string])[] =>
    next() < 0.3 ? [] : [['Content-Type', pick([...samples.map(({ type }) => type), 'multipart/form-data', '???'])]]

  function types(): (readonly [string, string])[] {
    const dice = next()
    if (dice < 0.8) return [['Content-Type', 'application/json']]
    return dice < 0.9
      ? []
      : [
          [
            'Content-Type',
            pick(['text/plain', '???', 'multipart/form-data; boundary=x', 'application/json; charset=latin1', '']),
          ],
        ]
  }

  return function apiRequest(): FuzzRequest {
    const operation = pick(operations)
    const method =
      next() < 0.95
        ? operation.method
        : pick(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'])
    const target = pathOf(operation) + queryOf(operation)
    const headers = [
      ...credential('v1'),
      ...(next() < 0.02 ? [['Content-Encoding', pick(['gzip', 'identity', 'br'])] as const] : []),
    ]
    const hasBody = operation.body !== undefined || next() < 0.03
    if (!hasBody) return { method, target, headers }
    const files: Record<string, () => Buffer> = { importFlights: fileOf, readTravelDocument: documentOf }
    const file = files[operation.id]?.()
    const body = file ?? bodyOf(operation.body ? sample(operation.body) : {}, random)
    const typed = operation.id === 'readTravelDocument' ? documentTypes() : types()
    return { method, target, headers: [...headers, ...typed], body, chunked: next() < 0.1 }
  }
}
