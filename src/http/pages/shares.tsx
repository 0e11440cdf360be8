import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { CalendarDay } from '../../contract/common.ts'
import { toErrorDetails } from '../../contract/issues.ts'
import { type Share, ShareWrite, shareFlags } from '../../domain/shares/contract.ts'
import type { PageContext } from './context.ts'
import { formOf } from './form.ts'
import { type Faults, faultsOf, type Refused, readForm, submit } from './forms.ts'
import { requireCaller } from './session.ts'
import { type IdRequest, idOf, partOf, signedInPages } from './signed-in.ts'
import { sendPage } from './views/layout.tsx'
import { type ShareEntries, shareSpecs } from './views/share-form.tsx'
import { EditSharePage, SharesPage } from './views/shares.tsx'

const PATH = '/settings/shares'
const SHOWN_AT_ONCE = 50

/** The form speaks of days: a share that ends on a day is open until that day is over everywhere that counts in UTC. */
const endOfDay = (day: string) => `${day}T23:59:59Z`

const defaults = ShareWrite.parse({})

const entriesOf = (share: ShareWrite | Share): ShareEntries => ({
  slug: share.slug ?? '',
  expires: share.expiresAt?.slice(0, 10) ?? '',
  dateFrom: share.dateFrom ?? '',
  dateTo: share.dateTo ?? '',
  shown: shareFlags.filter((flag) => share[flag]),
})

/** What the API calls dateFrom is called otherwise on the page. */
const plainWords: Faults = { 'Must not be before dateFrom.': 'Must not be before the first day.' }

function inPlainWords({ status, faults }: Refused): Refused {
  if (status === 409) return { status, faults: { slug: 'This address is taken. Choose another one.' } }
  const worded = Object.entries(faults).map(([name, text]) => [name, plainWords[text] ?? text])
  return { status, faults: Object.fromEntries(worded) }
}

const fieldAt = ([first = '']: readonly string[]) => (first === 'expiresAt' ? 'expires' : first)

/** How a form becomes the body that v1 would get. */
function judged({ shown, ...typed }: ShareEntries, stored?: Share) {
  const [slug, expires, dateFrom, dateTo] = [typed.slug, typed.expires, typed.dateFrom, typed.dateTo].map(
    (text) => text.trim() || null,
  ) as (string | null)[]
  const day = CalendarDay.nullable().safeParse(expires)
  // A day that was not changed keeps the moment that another program may have chosen.
  const kept = stored?.expiresAt?.slice(0, 10) === expires ? stored?.expiresAt : undefined
  return {
    schema: ShareWrite,
    body: {
      slug,
      expiresAt: expires && day.success ? (kept ?? endOfDay(expires)) : null,
      dateFrom,
      dateTo,
      ...Object.fromEntries(shareFlags.map((flag) => [flag, shown.includes(flag)])),
    },
    faults: day.success ? {} : faultsOf(toErrorDetails(day.error), () => 'expires'),
    fieldAt,
    unique: 'slug',
  }
}

export async function sharesPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, shares, now = Date.now } = context
  const { frame, requireForm, back } = signedInPages(context)

  interface Shown {
    page?: number
    entries?: ShareEntries
    refused?: Refused
  }

  function show(request: FastifyRequest, reply: FastifyReply, caller: Caller, { page = 1, entries, refused }: Shown) {
    const part = partOf(page, shares.count(caller), SHOWN_AT_ONCE)
    return sendPage(
      reply,
      refused?.status ?? 200,
      <SharesPage
        {...frame(request, caller)}
        shares={shares.list(caller, part)}
        part={{ ...part, path: basePath + PATH }}
        now={now()}
        canRead={caller.permissions.has('flight.read.own')}
        entries={entries ?? entriesOf(defaults)}
        faults={refused?.faults ?? {}}
      />,
    )
  }

  function edit(request: FastifyRequest, reply: FastifyReply, caller: Caller, share: Share, shown: Shown = {}) {
    return sendPage(
      reply,
      shown.refused?.status ?? 200,
      <EditSharePage
        {...frame(request, caller)}
        share={share}
        entries={shown.entries ?? entriesOf(share)}
        faults={shown.refused?.faults ?? {}}
      />,
    )
  }

  app.get<{ Querystring: { page?: unknown } }>(PATH, async (request, reply) =>
    show(request, reply, requireCaller(request), { page: Number(request.query.page ?? 1) }),
  )

  app.post(PATH, async (request, reply) => {
    const caller = requireForm(request, PATH)
    const entries = readForm(shareSpecs, formOf(request))
    return submit({
      ...judged(entries),
      work: (body) => shares.create(caller, body),
      again: (refused) => show(request, reply, caller, { entries, refused: inPlainWords(refused) }),
      done: ({ url }) => back(request, reply, PATH, `Your page is open at ${url}`),
    })
  })

  app.get<IdRequest>(`${PATH}/:id`, async (request, reply) => {
    const caller = requireCaller(request)
    return edit(request, reply, caller, shares.get(caller, idOf(request, 'share')))
  })

  app.post<IdRequest>(`${PATH}/:id`, async (request, reply) => {
    const caller = requireForm(request, PATH)
    const share = shares.get(caller, idOf(request, 'share'))
    const entries = readForm(shareSpecs, formOf(request))
    return submit({
      ...judged(entries, share),
      work: (body) => shares.update(caller, share.id, body),
      again: (refused) => edit(request, reply, caller, share, { entries, refused: inPlainWords(refused) }),
      done: () => back(request, reply, PATH, 'The share was changed. Its page shows so at once.'),
    })
  })

  app.post<IdRequest>(`${PATH}/:id/delete`, async (request, reply) => {
    const caller = requireForm(request, PATH)
    await shares.remove(caller, idOf(request, 'share'))
    return back(request, reply, PATH, 'The share was deleted. Its page is gone.')
  })
}
