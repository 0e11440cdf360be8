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
import { useTexts } from '../../framework/localization.ts'
import { signedInPages } from '../../framework/signed-in.ts'

const PATH = '/export'

const fileTypes = ['json', 'csv', 'kml', 'geojson', 'ics'] as const

interface Props extends Frame {
  /** Undefined if the role may export flights but not read them. */
  shown: ShownFilter | undefined
  count: number | undefined
}

function ExportPage({ shown, count, ...frame }: Props) {
  const t = useTexts().exportFlights
  const { basePath } = frame
  const isEmpty = count === 0
  return (
    <Layout {...frame} title={t.title} place="home" below>
      <Crumb href={basePath || '/'}>{t.flights}</Crumb>
      <h1>{t.title}</h1>
      {shown && <FilterBar basePath={basePath} action={PATH} shown={shown} />}
      {count !== undefined && !isEmpty && <p>{t.contents({ count })}</p>}
      {isEmpty && shown?.query && <NothingFound basePath={basePath} action={PATH} shown={shown} />}
      {isEmpty && !shown?.query && <NoFlights basePath={basePath} />}
      {!isEmpty && (
        <ul class="cards forms">
          {fileTypes.map((name) => (
            <li key={name} class="card">
              <h2>{t.titles[name]}</h2>
              <p class="quiet">{t.descriptions[name]}</p>
              <a class="button" href={basePath + addressOf(`${PATH}/${name}`, shown?.query ?? '')} download>
                {t.download({ title: t.titles[name], unseen: (text) => <span class="unseen">{text}</span> })}
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
    const wanted = fileTypes.find((name) => name === type)
    if (!wanted) throw notFound('form')
    if (wanted === 'json') return exports.run(caller, { scope: 'mine', format: 'json', ...filter })
    return exports.own(caller, wanted, given === '' ? undefined : filter)
  }

  pages.get<{ Params: { form: string } }>(`${PATH}/:form`, async ({ caller, request, reply }) => {
    authorize(caller, 'exportFlights', { otherUsers: false })
    const file = fileOf(caller, request.params.form, request.query)
    const pieces = await startStream(file.pieces)
    return reply.type(file.type).header('content-disposition', `attachment; filename="${file.name}"`).send(pieces)
  })
}
