import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { Caller } from '../../access/caller.ts'
import type { FlightFilter } from '../../domain/flights/filter-contract.ts'
import { codeOf } from '../../domain/reference/contract.ts'
import { countryName } from '../../lib/english.ts'
import { notFound } from '../../lib/errors.ts'
import type { PageContext } from './context.ts'
import { readPageFilter } from './filter.ts'
import { filterBar } from './filter-bar.ts'
import { ownDrawing } from './maps.ts'
import { requireCaller } from './session.ts'
import { type IdRequest, idOf, signedInPages } from './signed-in.ts'
import { sendPage } from './views/layout.tsx'
import { ThingPage } from './views/thing.tsx'

/** An airport, an airline, a type or a registration: what it is, and the filter that finds its flights. */
interface Thing {
  /** As the heading says it. */
  name: string
  path: string
  filter: FlightFilter
  facts: readonly [string, ComponentChildren][]
  /** At which one arrives and departs. */
  airportId?: number
}

type Facts = readonly [string, string | null | undefined][]

const known = (facts: Facts) => facts.filter((fact): fact is [string, string] => Boolean(fact[1]))

/** What one's own log has of an airport, an airline, an aircraft type or a registration. */
export async function thingPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { flights, stats, reference, mapOf } = context
  const { frame } = signedInPages(context)
  const readFilter = filterBar(context)

  async function show(request: FastifyRequest, reply: FastifyReply, caller: Caller, thing: Thing) {
    const page = frame(request, caller)
    const shown = await readFilter(caller, request.query, page.formats)
    const filter = { ...shown.filter, ...thing.filter }
    const log = await flights.logPage(caller, filter, Number((request.query as { page?: unknown }).page))
    const own = await mapOf(caller, filter)
    const query = { scope: 'mine', ...filter } as const
    const [figures, { first, latest }] = [await stats.get(caller, query), await stats.getRecords(caller, query)]
    return sendPage(
      reply,
      200,
      <ThingPage
        {...page}
        {...thing}
        shown={shown}
        log={log}
        yearPages={flights.pagesOfYears(log)}
        stats={figures}
        ends={{ first, latest }}
        routes={own.routes}
        map={log.page === 1 ? await ownDrawing(own) : undefined}
      />,
    )
  }

  app.get<IdRequest>('/airports/:id', async (request, reply) => {
    const caller = requireCaller(request)
    const airport = reference.airports.get(caller, idOf(request, 'airport'))
    const { id, iata, icao, name, municipality, country, timezone } = airport
    return show(request, reply, caller, {
      name: `${codeOf(airport)} ${name}`,
      path: `/airports/${id}`,
      filter: { airportId: [id] },
      facts: known([
        ['City', municipality],
        ['Country', countryName(country)],
        ['IATA code', iata],
        ['ICAO code', icao],
        ['Time zone', timezone.replaceAll('_', ' ')],
      ]),
      airportId: id,
    })
  })

  app.get<IdRequest>('/airlines/:id', async (request, reply) => {
    const caller = requireCaller(request)
    const { id, name, iata, icao } = reference.airlines.get(caller, idOf(request, 'airline'))
    const facts = known([
      ['IATA code', iata],
      ['ICAO code', icao],
    ])
    return show(request, reply, caller, { name, path: `/airlines/${id}`, filter: { airlineId: [id] }, facts })
  })

  app.get<IdRequest>('/aircraft/:id', async (request, reply) => {
    const caller = requireCaller(request)
    const { id, name, icao } = reference.aircraft.get(caller, idOf(request, 'aircraft type'))
    const facts = known([['ICAO code', icao]])
    return show(request, reply, caller, { name, path: `/aircraft/${id}`, filter: { aircraftId: [id] }, facts })
  })

  app.get<{ Params: { reg: string } }>('/registrations/:reg', async (request, reply) => {
    const caller = requireCaller(request)
    const { reg } = request.params
    const { aircraftReg } = readPageFilter({ aircraftReg: reg }).filter
    if (aircraftReg === undefined) throw notFound('registration')
    const path = `/registrations/${encodeURIComponent(reg)}`
    return show(request, reply, caller, { name: reg.trim(), path, filter: { aircraftReg }, facts: [] })
  })
}
