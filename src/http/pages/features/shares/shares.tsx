import type { FastifyInstance } from 'fastify'
import { CalendarDay } from '../../../../contract/common.ts'
import { toErrorDetails } from '../../../../contract/issues.ts'
import { type Share, ShareWrite, shareFlags } from '../../../../domain/shares/contract.ts'
import type { PageContext } from '../../framework/context.ts'
import { crudPages } from '../../framework/crud.ts'
import { type Faults, faultsOf, type Refused, readForm, submit } from '../../framework/forms.ts'
import { idOf, partOf } from '../../framework/signed-in.ts'
import { type ShareEntries, shareSpecs } from './share-form.tsx'
import { EditSharePage, SharesPage } from './shares-page.tsx'

const PATH = '/settings/shares'
const PAGE_SIZE = 50

/** A share that expires on a day is open until the end of that day in UTC. */
const endOfDay = (day: string) => `${day}T23:59:59Z`

const defaults = ShareWrite.parse({})

const entriesOf = (share: ShareWrite | Share): ShareEntries => ({
  slug: share.slug ?? '',
  expires: share.expiresAt?.slice(0, 10) ?? '',
  dateFrom: share.dateFrom ?? '',
  dateTo: share.dateTo ?? '',
  shown: shareFlags.filter((flag) => share[flag]),
})

/** Messages of the API that name its fields. */
const plainWords: Faults = { 'Must not be before dateFrom.': 'Must not be before the first day.' }

function inPlainWords({ status, faults }: Refused): Refused {
  if (status === 409) return { status, faults: { slug: 'This address is taken. Choose another one.' } }
  const worded = Object.entries(faults).map(([name, text]) => [name, plainWords[text] ?? text])
  return { status, faults: Object.fromEntries(worded) }
}

const fieldAt = ([first = '']: readonly string[]) => (first === 'expiresAt' ? 'expires' : first)

function submissionOf({ shown, ...typed }: ShareEntries, stored?: Share) {
  const [slug, expires, dateFrom, dateTo] = [typed.slug, typed.expires, typed.dateFrom, typed.dateTo].map(
    (text) => text.trim() || null,
  ) as (string | null)[]
  const day = CalendarDay.nullable().safeParse(expires)
  // An unchanged day keeps the exact time, which an API client may have set.
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

  crudPages<ShareEntries, Share>(app, context, {
    path: PATH,
    list({ caller, request, frame }, { entries = entriesOf(defaults), faults }) {
      const { page = 1 } = request.query as { page?: unknown }
      const part = partOf(Number(page), shares.count(caller), PAGE_SIZE)
      return (
        <SharesPage
          {...frame}
          shares={shares.list(caller, part)}
          part={{ ...part, path: basePath + PATH }}
          now={now()}
          canRead={caller.permissions.has('flight.read.own')}
          entries={entries}
          faults={faults}
        />
      )
    },
    create({ caller, form, back }, again) {
      const entries = readForm(shareSpecs, form)
      return submit({
        ...submissionOf(entries),
        work: (body) => shares.create(caller, body),
        again: (refused) => again(entries)(inPlainWords(refused)),
        done: ({ url }) => back(PATH, `Your page is open at ${url}`),
      })
    },
    find: ({ caller, request }) => shares.get(caller, idOf(request, 'share')),
    edit: ({ frame }, share, { entries = entriesOf(share), faults }) => (
      <EditSharePage {...frame} share={share} entries={entries} faults={faults} />
    ),
    update({ caller, form, back }, share, again) {
      const entries = readForm(shareSpecs, form)
      return submit({
        ...submissionOf(entries, share),
        work: (body) => shares.update(caller, share.id, body),
        again: (refused) => again(entries)(inPlainWords(refused)),
        done: () => back(PATH, 'The share was changed. Its page shows so at once.'),
      })
    },
    remove: ({ caller }, { id }) => shares.remove(caller, id),
    removed: () => 'The share was deleted. Its page is gone.',
  })
}
