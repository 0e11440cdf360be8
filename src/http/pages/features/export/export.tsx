import type { FastifyInstance } from 'fastify'
import { authorize } from '../../../../access/authorize.ts'
import type { Caller } from '../../../../access/caller.ts'
import type { TextFile } from '../../../../contract/answer.ts'
import { notFound } from '../../../../lib/errors.ts'
import { startStream } from '../../../shared/large-answers.ts'
import { readPageFilter } from '../../components/filter-bar/filter.ts'
import { filterBar } from '../../components/filter-bar/read-filter.ts'
import type { PageContext } from '../../framework/context.ts'
import { signedInPages } from '../../framework/signed-in.ts'
import { ExportPage, exportForms } from './export-page.tsx'

const PATH = '/export'

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

  function fileOf(caller: Caller, form: string, query: unknown): TextFile {
    const { filter, query: given } = readPageFilter(query)
    const wanted = exportForms.find(({ name }) => name === form)
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
