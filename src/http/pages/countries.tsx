import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { continentOf, countryCodes } from '../../domain/reference/countries.ts'
import { VisitedCountryQuery, VisitedCountryWrite } from '../../domain/visited/contract.ts'
import { countryName } from '../../lib/english.ts'
import type { PageContext } from './context.ts'
import { filterBar } from './filter-bar.ts'
import { formOf } from './form.ts'
import { type Refused, readForm, requireAny, submit } from './forms.ts'
import { requireCaller } from './session.ts'
import { signedInPages } from './signed-in.ts'
import { CountriesPage, markSpecs, type TypedMark } from './views/countries.tsx'
import { sendPage } from './views/layout.tsx'

const PATH = '/countries'
const nothingTyped: TypedMark = { code: '', status: 'visited', note: '' }

const totals = new Map<string, number>()
for (const code of countryCodes) totals.set(continentOf(code), (totals.get(continentOf(code)) ?? 0) + 1)

export async function countriesPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { visited } = context
  const { frame, requireForm, back } = signedInPages(context)
  const readFilter = filterBar(context)

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    typed: TypedMark = nothingTyped,
    { status, faults }: Refused = { status: 200, faults: {} },
  ) {
    const shell = frame(request, caller)
    const shown = await readFilter(caller, request.query, shell.formats, { onlyFlown: true })
    const all = await visited.known(caller, shown.filter)
    // A mark has no date and no airline: under a filter only flights tell.
    const records = shown.chips.length > 0 ? all.filter(({ derived }) => derived) : all
    // What draws maps is no part of a start.
    const { worldCountries, worldSize } = await import('./map/world.ts')
    const page = (
      <CountriesPage
        {...shell}
        records={records}
        totals={totals}
        codes={countryCodes}
        shapes={await worldCountries()}
        size={worldSize(records.some(({ code }) => code === 'AQ'))}
        shown={shown}
        typed={typed}
        faults={faults}
      />
    )
    return sendPage(reply, status, page)
  }

  app.get(PATH, async (request, reply) => {
    const caller = requireAny(requireCaller(request), 'flight.read.own')
    return show(request, reply, caller)
  })

  app.post(PATH, async (request, reply) => {
    const caller = requireForm(request, PATH)
    const typed = readForm(markSpecs, formOf(request))
    const again = (refused: Refused) => show(request, reply, caller, typed, refused)
    const done = (words: string) => back(request, reply, `${PATH}#country-${typed.code}`, words)
    // The button that removes a mark sends none.
    if (typed.status === '') {
      return submit({
        schema: VisitedCountryQuery,
        body: typed,
        work: ({ code }) => visited.remove(caller, code),
        again,
        done: () => done(`${countryName(typed.code)} has no mark any more.`),
      })
    }
    return submit({
      schema: VisitedCountryWrite,
      body: { ...typed, note: typed.note.trim() === '' ? null : typed.note },
      work: (body) => visited.put(caller, body),
      again,
      done: ({ code }) => done(`${countryName(code)} is marked.`),
    })
  })
}
