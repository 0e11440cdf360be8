import * as z from 'zod'
import { authorize } from '../../src/access/authorize.ts'
import { Id, IdParams, one, page, singlePage, text, trimmedText } from '../../src/contract/common.ts'
import { type Operation, operation } from '../../src/contract/operation.ts'

const Sample = z.object({ id: Id, name: z.string() }).meta({ id: 'Sample' })

const SampleWrite = z
  .object({
    name: trimmedText({ min: 2, max: 10 }),
    note: text({ max: 20 }).nullable().default(null),
    kind: z.enum(['big', 'small']).optional(),
    count: z.int().min(1).max(9).optional(),
    tags: z
      .array(z.object({ name: z.string() }))
      .max(100)
      .optional(),
    code: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .optional(),
  })
  .meta({ id: 'SampleWrite' })

const Query = z.object({
  query: z.string().min(1),
  limit: z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .pipe(z.number().min(1).max(100))
    .optional()
    .meta({ override: { type: 'integer', minimum: 1, maximum: 100 } }),
})

const sample = (id = 1, name = 'Sample') => ({ id, name })
const common = { tag: 'Reference data', summary: 'A sample operation' } as const

/** Operations with every kind of input, for tests of rules that apply to all resources. */
export const sampleOperations = (): Operation[] => [
  operation({
    ...common,
    id: 'searchAirports',
    route: 'GET /airports',
    input: { query: Query },
    output: page(Sample),
    run: (_caller, { query }) => singlePage([sample(query.limit, query.query)]),
  }),
  operation({
    ...common,
    id: 'getAirport',
    route: 'GET /airports/{id}',
    input: { params: IdParams },
    output: one(Sample),
    run: (_caller, { params }) => ({ data: sample(params.id) }),
  }),
  operation({
    ...common,
    id: 'createAirport',
    route: 'POST /airports',
    input: { body: SampleWrite },
    output: one(Sample),
    created: ({ data }) => data.id,
    run: (_caller, { body }) => ({ data: sample(7, body.name) }),
  }),
  operation({
    ...common,
    id: 'updateAirport',
    route: 'PUT /airports/{id}',
    input: { params: IdParams, query: Query, body: SampleWrite },
    output: one(Sample),
    run: (_caller, { params, body }) => ({ data: sample(params.id, body.name) }),
  }),
  operation({
    ...common,
    id: 'deleteAirport',
    route: 'DELETE /airports/{id}',
    input: { params: IdParams },
    output: null,
    run: () => undefined,
  }),
  operation({
    ...common,
    id: 'exportFlights',
    route: 'GET /flights/export',
    input: {},
    output: one(Sample),
    early: (query) => ({ otherUsers: query.scope === 'all' }),
    run: (caller) => {
      authorize(caller, 'exportFlights', { otherUsers: true })
      return { data: sample() }
    },
  }),
  operation({
    ...common,
    id: 'importFlights',
    route: 'POST /flights/import',
    input: { body: SampleWrite },
    output: one(Sample),
    run: () => ({ data: sample() }),
  }),
  operation({
    ...common,
    id: 'getFlight',
    route: 'GET /flights/{id}',
    input: { params: IdParams },
    output: one(Sample),
    run: (_caller, { params }) => ({ data: sample(params.id) }),
  }),
  operation({
    ...common,
    id: 'updateFlight',
    route: 'PUT /flights/{id}',
    input: { params: IdParams, body: SampleWrite },
    output: one(Sample),
    run: (_caller, { params }) => ({ data: sample(params.id) }),
  }),
  operation({
    ...common,
    id: 'getStats',
    route: 'GET /stats',
    input: {},
    output: one(Sample),
    run: () => {
      throw new Error('the cause that only the log may tell')
    },
  }),
  operation({
    ...common,
    id: 'listShares',
    route: 'GET /shares',
    input: {},
    output: page(Sample),
    run: async () => {
      throw Object.assign(new Error('a library failed with a status of its own'), { statusCode: 599 })
    },
  }),
]
