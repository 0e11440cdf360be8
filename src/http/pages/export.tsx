import type { FastifyInstance } from 'fastify'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { TextFile } from '../../contract/answer.ts'
import { notFound } from '../../lib/errors.ts'
import { begun } from '../shared/large-answers.ts'
import type { PageContext } from './context.ts'
import { readPageFilter } from './filter.ts'
import { filterBar } from './filter-bar.ts'
import { requireCaller } from './session.ts'
import { signedInPages } from './signed-in.ts'
import { ExportPage, exportForms } from './views/export.tsx'
import { sendPage } from './views/layout.tsx'

const PATH = '/export'

/** One's own flights as a file: the page that offers it, and the files. */
export async function exportPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { exports, flights } = context
  const { frame } = signedInPages(context)
  const readFilter = filterBar(context)

  function exporting(caller: Caller): Caller {
    authorize(caller, 'exportFlights', { otherUsers: false })
    return caller
  }

  app.get(PATH, async (request, reply) => {
    const caller = exporting(requireCaller(request))
    const page = frame(request, caller)
    const mayRead = caller.permissions.has('flight.read.own')
    const shown = mayRead ? await readFilter(caller, request.query, page.formats) : undefined
    const chosen = shown && (await flights.selected(caller, shown.filter))
    const count = chosen && chosen.flown.length + chosen.planned.length
    return sendPage(reply, 200, <ExportPage {...page} shown={shown} count={count} />)
  })

  function fileOf(caller: Caller, form: string, query: unknown): TextFile {
    const { filter, query: given } = readPageFilter(query)
    const wanted = exportForms.find(({ name }) => name === form)
    if (!wanted) throw notFound('form')
    if (wanted.name === 'json') return exports.run(caller, { scope: 'mine', format: 'json', ...filter })
    return exports.own(caller, wanted.name, given === '' ? undefined : filter)
  }

  app.get<{ Params: { form: string } }>(`${PATH}/:form`, async (request, reply) => {
    const file = fileOf(exporting(requireCaller(request)), request.params.form, request.query)
    const pieces = await begun(file.pieces)
    return reply.type(file.type).header('content-disposition', `attachment; filename="${file.name}"`).send(pieces)
  })
}
