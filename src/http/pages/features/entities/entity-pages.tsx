import type { FastifyInstance } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { FlightFilter } from '../../../../domain/flights/query/filter-contract.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import { countryName } from '../../../../lib/english.ts'
import { notFound } from '../../../../lib/errors.ts'
import { readPageFilter } from '../../components/filter-bar/filter.ts'
import { filterBar } from '../../components/filter-bar/read-filter.ts'
import type { PageContext } from '../../framework/context.ts'
import { type IdRequest, idOf, signedInPages, type Visit } from '../../framework/signed-in.ts'
import { ownDrawing } from '../../maps/maps.ts'
import { EntityPage } from './entity-page.tsx'

/** An airport, an airline, an aircraft type or a registration. */
interface Entity {
  /** The heading. */
  name: string
  path: string
  filter: FlightFilter
  facts: readonly [string, ComponentChildren][]
  /** Only of an airport. */
  airportId?: number
}

type Facts = readonly [string, string | null | undefined][]

const known = (facts: Facts) => facts.filter((fact): fact is [string, string] => Boolean(fact[1]))

/** The user's flights with one airport, airline, aircraft type or registration. */
export async function entityPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { flights, stats, reference, mapOf } = context
  const pages = signedInPages(app, context)
  const readFilter = filterBar(context)

  async function show(visit: Visit, entity: Entity) {
    const { caller, request } = visit
    const shown = await readFilter(visit)
    const filter = { ...shown.filter, ...entity.filter }
    const log = await flights.logPage(caller, filter, Number((request.query as { page?: unknown }).page))
    const own = await mapOf(caller, filter)
    const query = { scope: 'mine', ...filter } as const
    const [figures, { first, latest }] = [await stats.get(caller, query), await stats.getRecords(caller, query)]
    return visit.send(
      <EntityPage
        {...visit.frame}
        {...entity}
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

  pages.get<IdRequest>('/airports/:id', (visit) => {
    const { caller, request } = visit
    const airport = reference.airports.get(caller, idOf(request, 'airport'))
    const { id, iata, icao, name, municipality, country, timezone } = airport
    return show(visit, {
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

  pages.get<IdRequest>('/airlines/:id', (visit) => {
    const { caller, request } = visit
    const { id, name, iata, icao } = reference.airlines.get(caller, idOf(request, 'airline'))
    const facts = known([
      ['IATA code', iata],
      ['ICAO code', icao],
    ])
    return show(visit, { name, path: `/airlines/${id}`, filter: { airlineId: [id] }, facts })
  })

  pages.get<IdRequest>('/aircraft/:id', (visit) => {
    const { caller, request } = visit
    const { id, name, icao } = reference.aircraft.get(caller, idOf(request, 'aircraft type'))
    const facts = known([['ICAO code', icao]])
    return show(visit, { name, path: `/aircraft/${id}`, filter: { aircraftId: [id] }, facts })
  })

  pages.get<{ Params: { reg: string } }>('/registrations/:reg', (visit) => {
    const { reg } = visit.request.params
    const { aircraftReg } = readPageFilter({ aircraftReg: reg }).filter
    if (aircraftReg === undefined) throw notFound('registration')
    const path = `/registrations/${encodeURIComponent(reg)}`
    return show(visit, { name: reg.trim(), path, filter: { aircraftReg }, facts: [] })
  })
}
