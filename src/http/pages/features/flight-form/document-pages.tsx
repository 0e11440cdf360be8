import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { authorize } from '../../../../access/authorize.ts'
import { toErrorDetails } from '../../../../contract/issues.ts'
import { MAX_DOCUMENT_BYTES, TravelItem } from '../../../../domain/documents/contract.ts'
import { isSamePassenger } from '../../../../domain/documents/document-flight.ts'
import { NOTHING_FOUND } from '../../../../domain/documents/unreadable.ts'
import { FlightWrite } from '../../../../domain/flights/contract.ts'
import { isCalendarDay } from '../../../../lib/dates.ts'
import { AppError } from '../../../../lib/errors.ts'
import { ErrorSummary } from '../../components/fields.tsx'
import type { Lookup } from '../../components/lookup.ts'
import { Crumb } from '../../components/section.tsx'
import { assets } from '../../framework/assets.ts'
import type { PageContext } from '../../framework/context.ts'
import { requireCsrf } from '../../framework/csrf.ts'
import { fieldOf } from '../../framework/form.ts'
import { formIdempotency } from '../../framework/form-idempotency.ts'
import { allowWebAssembly } from '../../framework/headers.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { errorText, messageText } from '../../framework/service-messages.ts'
import { signedInPages, type Visit } from '../../framework/signed-in.ts'
import { acceptFiles, FileTooLarge, readUpload } from '../../framework/upload.ts'
import { DOCUMENT_PATH, DocumentFields, DocumentForm } from './document-fields.tsx'
import { type FoundFlight, FoundFlights, fieldName, missingOf } from './found-flights.tsx'
import { addFieldError, type Reading, readLookup } from './reading.ts'

export type DraftRequest = { Querystring: { kept?: unknown } }

interface FormHandling {
  longForm: { bodyLimit: number; onRequest: (request: FastifyRequest) => Promise<void> }
  visitWithForm: (request: FastifyRequest, reply: FastifyReply) => Visit
  draftOf: (visit: Visit<DraftRequest>) => URLSearchParams | undefined
  lookup: Lookup
}

const Items = z.array(TravelItem).max(50)

/** JPEG, PNG, GIF, WebP and the photos of phones (HEIC, AVIF). */
const isPhoto = (file: Buffer) =>
  /^(?:\xFF\xD8\xFF|\x89PNG|GIF8|RIFF.{4}WEBP|.{4}ftyp)/s.test(file.toString('latin1', 0, 16))

/** The positions of flights that are not in the log: of several passengers, that of the user, otherwise the first. */
function toSave(items: readonly TravelItem[], user: string): Set<number> {
  const positions = new Map<string, number>()
  for (const [index, { flight, passengerName, duplicateOf }] of items.entries()) {
    if (duplicateOf !== null) continue
    const { date, fromId, toId, flightNumber } = flight
    const isComplete = date !== undefined && fromId !== undefined && toId !== undefined
    const key = isComplete ? [date, fromId, toId, flightNumber].join(' ') : `item ${index}`
    const isOwn = passengerName !== null && isSamePassenger(passengerName, user)
    if (isOwn || !positions.has(key)) positions.set(key, index)
  }
  return new Set(positions.values())
}

interface DocumentPageProps extends Pick<Visit, 'frame'> {
  text?: string
  fieldError?: string | undefined
}

function DocumentPage({ frame, text, fieldError }: DocumentPageProps) {
  const { basePath, viewer } = frame
  const { flightForm, travelDocuments: t } = useTexts()
  return (
    <Layout
      {...frame}
      title={t.title}
      fieldErrors={fieldError ? { file: fieldError } : {}}
      place="home"
      below
      scripts={[assets.travelDocument]}
    >
      <Crumb href={`${basePath}/flights/new`}>{flightForm.add}</Crumb>
      <h1>{t.title}</h1>
      <p class="quiet">{t.wayHint}</p>
      <ErrorSummary
        fieldErrors={fieldError ? { file: fieldError } : {}}
        fields={{ file: { id: 'document-file', label: t.file } }}
      />
      <DocumentForm basePath={basePath} csrf={viewer.csrf} />
      <div class="card">
        <DocumentFields basePath={basePath} {...{ text, fieldError }} />
      </div>
      <p>
        <a class="standalone" href={`${basePath}/flights/new`}>
          {t.enterManually}
        </a>
      </p>
    </Layout>
  )
}

/** Reads travel documents and saves the flights that the user confirms. */
export async function documentPages(app: FastifyInstance, context: PageContext, handling: FormHandling): Promise<void> {
  const { documents, flights, reference, memory, routes, notices, drafts } = context
  const { longForm, visitWithForm, draftOf, lookup } = handling
  const { records } = reference
  const pages = signedInPages(app, context)
  const sent = formIdempotency(memory, 'saved document flights')
  await acceptFiles(app)

  const withRecords = (item: TravelItem): FoundFlight => {
    const { fromId, toId, airlineId } = item.flight
    return {
      item,
      from: fromId === undefined ? undefined : records.airport(fromId),
      to: toId === undefined ? undefined : records.airport(toId),
      airline: airlineId === undefined ? undefined : records.airline(airlineId),
    }
  }

  function showForm({ frame, reply, send }: Visit, problem: { text?: string; fieldError?: string } = {}, status = 200) {
    allowWebAssembly(reply)
    return send(<DocumentPage frame={frame} {...problem} />, status)
  }

  /** Shows a form of found flights that was sent after the session ended. */
  function showDraft({ caller, frame, texts, send }: Visit<DraftRequest>, form: URLSearchParams) {
    const items = parseItems(form, texts.travelDocuments.expired)
    return send(
      <FoundFlights
        {...frame}
        author={caller.userId}
        flights={items.map(withRecords)}
        form={form}
        fieldErrors={{}}
        choices={{}}
        selected={selectedIn(form, items)}
      />,
    )
  }

  pages.get<DraftRequest>(DOCUMENT_PATH, (visit) => {
    authorize(visit.caller, 'readTravelDocument', {})
    const draft = draftOf(visit)
    return draft ? showDraft(visit, draft) : showForm(visit)
  })

  pages.upload(DOCUMENT_PATH, async (visit) => {
    const { caller, request, reply, texts, frame, send } = visit
    const t = texts.travelDocuments
    authorize(caller, 'readTravelDocument', {})
    let text = ''
    const again = (fieldError: string, status = 422) => showForm(visit, { text, fieldError }, status)
    try {
      const file = await readUpload({ request, reply, userId: caller.userId }, MAX_DOCUMENT_BYTES, () =>
        requireCsrf(request),
      )
      text = fieldOf(visit.form, 'text').trim()
      const hasFile = file !== undefined && file.length > 0
      if (!hasFile && text === '') return await again(t.nothingGiven)
      if (hasFile && isPhoto(file)) return await again(t.photoNeedsScript)
      const items = await documents.read(caller, { content: hasFile ? file : Buffer.from(text) })
      return await send(
        <FoundFlights
          {...frame}
          author={caller.userId}
          flights={items.map(withRecords)}
          form={new URLSearchParams()}
          fieldErrors={{}}
          choices={{}}
          selected={toSave(items, caller.displayName)}
        />,
      )
    } catch (error) {
      if (error instanceof FileTooLarge) return again(error.message, 413)
      if (error instanceof AppError && error.code === 'validation_failed') {
        return again(error.message === NOTHING_FOUND ? t.noFlight : messageText(error.message, texts))
      }
      throw error
    }
  })

  /** The body of a flight with what the user added; undefined if something is missing or wrong. */
  async function bodyOf(reading: Reading, { flight }: TravelItem, index: number): Promise<FlightWrite | undefined> {
    const { form, fieldErrors, texts } = reading
    const missing = missingOf(flight)
    const body: Record<string, unknown> = { ...flight }
    if (missing.date) {
      const name = fieldName(index, 'date')
      const date = fieldOf(form, name).trim()
      if (!isCalendarDay(date)) addFieldError(reading, name, date === '' ? texts.enterDate : texts.invalidDate)
      body.date = date
    }
    for (const member of ['from', 'to'] as const) {
      if (!missing[member]) continue
      const name = fieldName(index, member)
      const id = await readLookup(reading, name, 'airport')
      if (id === null) addFieldError(reading, name, member === 'from' ? texts.enterFrom : texts.enterTo)
      body[`${member}Id`] = id
    }
    if (['date', 'from', 'to'].some((member) => fieldErrors[fieldName(index, member)] !== undefined)) return undefined
    const parsed = FlightWrite.safeParse(body)
    if (parsed.success) return parsed.data
    const [detail] = toErrorDetails(parsed.error)
    addFieldError(reading, fieldName(index, 'item'), messageText(detail!.message, reading.pageTexts))
    return undefined
  }

  app.post(`${DOCUMENT_PATH}/save`, longForm, async (request, reply) => {
    const visit = visitWithForm(request, reply)
    const { caller, form, texts, frame, send } = visit
    const t = texts.travelDocuments
    const items = parseItems(form, t.expired)
    const key = sent.keyOf(caller, form)
    const selected = selectedIn(form, items)
    const reading: Reading = {
      caller,
      form,
      fieldErrors: {},
      choices: {},
      lookup,
      texts: texts.flightForm,
      pageTexts: texts,
    }
    if (selected.size === 0) addFieldError(reading, 'form', t.selectOne)
    const ids = new Map<number, number>()
    const save = async (index: number) => {
      const body = await bodyOf(reading, items[index]!, index)
      if (!body) return
      try {
        const { id } = await sent.once(
          texts,
          `${key}.${index}`,
          (existing) => flights.get(caller, existing),
          (created) => flights.create(caller, body, created),
        )
        ids.set(index, id)
      } catch (error) {
        if (!(error instanceof AppError) || !['validation_failed', 'conflict'].includes(error.code)) throw error
        addFieldError(reading, fieldName(index, 'item'), errorText(error, texts))
      }
    }
    // In one turn, so that all flights share a commit.
    await Promise.all([...selected].map(save))
    if (ids.size > 0) drafts.remove(request)
    const isDone = ids.size > 0 && ids.size === selected.size
    if (isDone) {
      const [only] = ids.values()
      notices.leave(visit.session, { text: t.saved({ count: ids.size }) })
      return reply.redirect(ids.size === 1 ? `${context.basePath}/flights/${only}` : routes.home, 303)
    }
    return showRemaining()

    /** Shows the flights that are not saved, with their fields under their new positions. */
    function showRemaining() {
      const rest = items.flatMap((item, index) => (ids.has(index) ? [] : [{ item, index }]))
      const moved = <Value,>(values: Record<string, Value>) =>
        Object.fromEntries(
          Object.entries(values).flatMap(([name, value]) => {
            const [member = '', index] = name.split('.')
            if (index === undefined) return [[name, value]]
            const position = rest.findIndex((each) => each.index === Number(index))
            return position < 0 ? [] : [[fieldName(position, member), value]]
          }),
        )
      const typed = new URLSearchParams()
      for (const [position, { index }] of rest.entries()) {
        for (const member of ['date', 'from', 'to']) {
          for (const part of ['', '.id', '.asked']) {
            const value = form.get(fieldName(index, member) + part)
            if (value !== null) typed.set(fieldName(position, member) + part, value)
          }
        }
      }
      return send(
        <FoundFlights
          {...frame}
          author={caller.userId}
          flights={rest.map(({ item }) => withRecords(item))}
          form={typed}
          fieldErrors={moved(reading.fieldErrors)}
          choices={moved(reading.choices)}
          selected={new Set(rest.flatMap(({ index }, position) => (selected.has(index) ? position : [])))}
          savedCount={ids.size}
        />,
        422,
      )
    }
  })
}

/** The positions that the user has selected. */
const selectedIn = (form: URLSearchParams, items: readonly TravelItem[]): Set<number> =>
  new Set(
    form
      .getAll('flight')
      .map(Number)
      .filter((index) => items[index] !== undefined),
  )

/** The items are the hidden fields of the page that lists them. */
function parseItems(form: URLSearchParams, message: string): TravelItem[] {
  try {
    return Items.parse(form.getAll('item').map((text) => JSON.parse(text) as unknown))
  } catch (error) {
    throw new AppError('bad_request', message, { cause: error })
  }
}
