import type { FastifyInstance } from 'fastify'
import { authorize } from '../../../../access/authorize.ts'
import type { Caller } from '../../../../access/caller.ts'
import type { TextFile } from '../../../../contract/answer.ts'
import { notFound } from '../../../../lib/errors.ts'
import { startStream } from '../../../shared/large-answers.ts'
import { addressOf, readPageFilter } from '../../components/filter-bar/filter.ts'
import { FilterBar, NothingFound } from '../../components/filter-bar/filter-bar.tsx'
import { filterBar, type ShownFilter } from '../../components/filter-bar/read-filter.ts'
import { Crumb, NoFlights } from '../../components/section.tsx'
import type { Frame, PageContext } from '../../framework/context.ts'
import { Layout } from '../../framework/layout.tsx'
import { signedInPages } from '../../framework/signed-in.ts'

const PATH = '/export'

const fileTypes = [
  {
    name: 'json',
    title: 'JSON',
    description: 'Everything, including people, tracks and custom fields. You can import it into any Paxlog instance.',
  },
  { name: 'csv', title: 'CSV', description: 'For spreadsheets: one row per flight, with local times.' },
  { name: 'kml', title: 'KML', description: 'For Google Earth: routes, and tracks if available.' },
  { name: 'geojson', title: 'GeoJSON', description: 'For maps and GIS programs: great circles and tracks.' },
  {
    name: 'ics',
    title: 'Calendar (ICS)',
    description: 'For calendars: one event per flight. For a calendar that updates itself, see Settings, Calendar.',
  },
] as const

interface Props extends Frame {
  /** Undefined if the role may export flights but not read them. */
  shown: ShownFilter | undefined
  count: number | undefined
}

function ExportPage({ shown, count, ...frame }: Props) {
  const { basePath, formats } = frame
  const isEmpty = count === 0
  return (
    <Layout {...frame} title="Export flights – Paxlog" place="home" below>
      <Crumb href={basePath || '/'}>Flights</Crumb>
      <h1>Export flights</h1>
      {shown && <FilterBar basePath={basePath} action={PATH} shown={shown} />}
      {count !== undefined && !isEmpty && <p>The file will contain {formats.flights(count)}.</p>}
      {isEmpty && shown?.query && <NothingFound basePath={basePath} action={PATH} shown={shown} />}
      {isEmpty && !shown?.query && <NoFlights basePath={basePath} />}
      {!isEmpty && (
        <ul class="cards forms">
          {fileTypes.map(({ name, title, description }) => (
            <li key={name} class="card">
              <h2>{title}</h2>
              <p class="quiet">{description}</p>
              <a class="button" href={basePath + addressOf(`${PATH}/${name}`, shown?.query ?? '')} download>
                Download<span class="unseen"> as {title}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Layout>
  )
}

/** Downloads of the user's own flights. */
export async function exportPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { exports, flights } = context
  const pages = signedInPages(app, context)
  const readFilter = filterBar(context)

  pages.get(PATH, async (visit) => {
    const { caller, send } = visit
    authorize(caller, 'exportFlights', { otherUsers: false })
    const shown = caller.permissions.has('flight.read.own') ? await readFilter(visit) : undefined
    const chosen = shown && (await flights.selected(caller, shown.filter))
    const count = chosen && chosen.flown.length + chosen.planned.length
    return send(<ExportPage {...visit.frame} shown={shown} count={count} />)
  })

  function fileOf(caller: Caller, type: string, query: unknown): TextFile {
    const { filter, query: given } = readPageFilter(query)
    const wanted = fileTypes.find(({ name }) => name === type)
    if (!wanted) throw notFound('form')
    if (wanted.name === 'json') return exports.run(caller, { scope: 'mine', format: 'json', ...filter })
    return exports.own(caller, wanted.name, given === '' ? undefined : filter)
  }

  pages.get<{ Params: { form: string } }>(`${PATH}/:form`, async ({ caller, request, reply }) => {
    authorize(caller, 'exportFlights', { otherUsers: false })
    const file = fileOf(caller, request.params.form, request.query)
    const pieces = await startStream(file.pieces)
    return reply.type(file.type).header('content-disposition', `attachment; filename="${file.name}"`).send(pieces)
  })
}
