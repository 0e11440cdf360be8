import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { CalendarDay } from '../../contract/common.ts'
import { detailsOf } from '../../contract/issues.ts'
import { type Share, ShareWrite, shareFlags } from '../../domain/shares/contract.ts'
import { AppError } from '../../lib/errors.ts'
import type { PageContext } from './context.ts'
import { fieldOf, formOf } from './form.ts'
import { requireCaller } from './session.ts'
import { type IdRequest, idOf, shownFaults, signedInPages } from './signed-in.ts'
import { type Faults, faultsOf } from './views/fields.tsx'
import { sendPage } from './views/layout.tsx'
import type { ShareFields } from './views/share-form.tsx'
import { EditSharePage, SharesPage } from './views/shares.tsx'

const PATH = '/settings/shares'

/** The form speaks of days: a share that ends on a day is open until that day is over everywhere that counts in UTC. */
const endOfDay = (day: string) => `${day}T23:59:59Z`

const defaults = ShareWrite.parse({})

const fieldsOf = (share: ShareWrite | Share): ShareFields => ({
  slug: share.slug ?? '',
  expires: share.expiresAt?.slice(0, 10) ?? '',
  dateFrom: share.dateFrom ?? '',
  dateTo: share.dateTo ?? '',
  shown: new Set(shareFlags.filter((flag) => share[flag])),
})

function sentFields(request: FastifyRequest): ShareFields {
  const form = formOf(request)
  const [slug, expires, dateFrom, dateTo] = ['slug', 'expires', 'dateFrom', 'dateTo'].map((name) =>
    fieldOf(form, name).trim(),
  ) as [string, string, string, string]
  const shown = new Set(form.getAll('show'))
  return { slug, expires, dateFrom, dateTo, shown: new Set(shareFlags.filter((flag) => shown.has(flag))) }
}

/** What the API calls dateFrom is called otherwise on the page. */
const plainWords: Faults = { 'Must not be before dateFrom.': 'Must not be before the first day.' }

/** The names of the form, and its words. */
function pageFaults({ expiresAt, ...faults }: Faults): Faults {
  const named = { ...faults, ...(expiresAt !== undefined && { expires: expiresAt }) }
  return Object.fromEntries(Object.entries(named).map(([name, text]) => [name, plainWords[text] ?? text]))
}

/** The body that v1 would get, or what is wrong with the form. */
function bodyOf(fields: ShareFields, stored?: Share): { body: ShareWrite } | { faults: Faults } {
  const { slug, expires, dateFrom, dateTo, shown } = fields
  const day = CalendarDay.safeParse(expires)
  const wrongDay: Faults = expires === '' || day.success ? {} : faultsOf(detailsOf(day.error))
  // A day that was not changed keeps the moment that another program may have chosen.
  const kept = stored?.expiresAt?.slice(0, 10) === expires ? stored.expiresAt : undefined
  const parsed = ShareWrite.safeParse({
    slug: slug || null,
    expiresAt: expires === '' || !day.success ? null : (kept ?? endOfDay(expires)),
    dateFrom: dateFrom || null,
    dateTo: dateTo || null,
    ...Object.fromEntries(shareFlags.map((flag) => [flag, shown.has(flag)])),
  })
  const faults = {
    ...(!parsed.success && faultsOf(detailsOf(parsed.error))),
    ...(wrongDay[''] && { expiresAt: wrongDay[''] }),
  }
  return parsed.success && Object.keys(faults).length === 0 ? { body: parsed.data } : { faults: pageFaults(faults) }
}

interface Refused {
  status: number
  faults: Faults
}

/** A taken address is shown beside its field, like every other fault. */
function refusedBy(error: unknown): Refused {
  if (error instanceof AppError && error.code === 'conflict') {
    return { status: 409, faults: { slug: 'This address is taken. Choose another one.' } }
  }
  return { status: 422, faults: pageFaults(shownFaults(error)) }
}

export async function sharesPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { shares, now = Date.now } = context
  const { frame, requireForm, back } = signedInPages(context)

  function show(request: FastifyRequest, reply: FastifyReply, caller: Caller, sent?: ShareFields, refused?: Refused) {
    return sendPage(
      reply,
      refused?.status ?? 200,
      <SharesPage
        {...frame(request, caller)}
        shares={shares.list(caller)}
        now={now()}
        canRead={caller.permissions.has('flight.read.own')}
        fields={sent ?? fieldsOf(defaults)}
        faults={refused?.faults ?? {}}
      />,
    )
  }

  function edit(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    share: Share,
    sent?: ShareFields,
    refused?: Refused,
  ) {
    return sendPage(
      reply,
      refused?.status ?? 200,
      <EditSharePage
        {...frame(request, caller)}
        share={share}
        fields={sent ?? fieldsOf(share)}
        faults={refused?.faults ?? {}}
      />,
    )
  }

  app.get(PATH, async (request, reply) => show(request, reply, requireCaller(request)))

  app.post(PATH, async (request, reply) => {
    const caller = requireForm(request, PATH)
    const fields = sentFields(request)
    const checked = bodyOf(fields)
    if ('faults' in checked) return show(request, reply, caller, fields, { status: 422, faults: checked.faults })
    try {
      const { url } = shares.create(caller, checked.body)
      return back(request, reply, PATH, `Your page is open at ${url}`)
    } catch (error) {
      return show(request, reply, caller, fields, refusedBy(error))
    }
  })

  app.get<IdRequest>(`${PATH}/:id`, async (request, reply) => {
    const caller = requireCaller(request)
    return edit(request, reply, caller, shares.get(caller, idOf(request, 'share')))
  })

  app.post<IdRequest>(`${PATH}/:id`, async (request, reply) => {
    const caller = requireForm(request, PATH)
    const share = shares.get(caller, idOf(request, 'share'))
    const fields = sentFields(request)
    const checked = bodyOf(fields, share)
    if ('faults' in checked) return edit(request, reply, caller, share, fields, { status: 422, faults: checked.faults })
    try {
      shares.update(caller, share.id, checked.body)
      return back(request, reply, PATH, 'The share was changed. Its page shows so at once.')
    } catch (error) {
      return edit(request, reply, caller, share, fields, refusedBy(error))
    }
  })

  app.post<IdRequest>(`${PATH}/:id/delete`, async (request, reply) => {
    const caller = requireForm(request, PATH)
    shares.remove(caller, idOf(request, 'share'))
    return back(request, reply, PATH, 'The share was deleted. Its page is gone.')
  })
}
