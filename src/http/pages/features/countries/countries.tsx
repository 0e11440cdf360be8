import type { FastifyInstance } from 'fastify'
import { continentOf, countryCodes } from '../../../../domain/reference/countries.ts'
import { VisitedCountryQuery, VisitedCountryWrite } from '../../../../domain/visited/contract.ts'
import { countryName } from '../../../../lib/english.ts'
import { filterBar } from '../../components/filter-bar/read-filter.ts'
import type { PageContext } from '../../framework/context.ts'
import { type Refused, readForm, requireAny, submit } from '../../framework/forms.ts'
import { signedInPages, type Visit } from '../../framework/signed-in.ts'
import { CountriesPage, markSpecs, type TypedMark } from './countries-page.tsx'

const PATH = '/countries'
const nothingTyped: TypedMark = { code: '', status: 'visited', note: '' }

const totals = new Map<string, number>()
for (const code of countryCodes) totals.set(continentOf(code), (totals.get(continentOf(code)) ?? 0) + 1)

export async function countriesPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { visited } = context
  const pages = signedInPages(app, context)
  const readFilter = filterBar(context)

  async function show(visit: Visit, typed: TypedMark = nothingTyped, { status, faults }: Partial<Refused> = {}) {
    const { caller, frame, send } = visit
    const shown = await readFilter(visit, { onlyFlown: true })
    const all = await visited.known(caller, shown.filter)
    // A marked country has no date and no airline, so it matches no filter.
    const records = shown.chips.length > 0 ? all.filter(({ derived }) => derived) : all
    // Loaded on demand to keep the start fast.
    const { worldCountries, worldSize } = await import('../../maps/world.ts')
    return send(
      <CountriesPage
        {...frame}
        records={records}
        totals={totals}
        codes={countryCodes}
        shapes={await worldCountries()}
        size={worldSize(records.some(({ code }) => code === 'AQ'))}
        shown={shown}
        typed={typed}
        faults={faults ?? {}}
      />,
      status,
    )
  }

  pages.get(PATH, (visit) => {
    requireAny(visit.caller, 'flight.read.own')
    return show(visit)
  })

  pages.post(PATH, (visit) => {
    const { caller, form, back } = visit
    const typed = readForm(markSpecs, form)
    const again = (refused: Refused) => show(visit, typed, refused)
    const done = (notice: string) => back(`${PATH}#country-${typed.code}`, notice)
    // The button that removes a mark sends an empty status.
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
