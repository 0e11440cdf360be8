import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ComponentChildren } from 'preact'
import { jsonOf } from '../../../../contract/answer.ts'
import type { Flight } from '../../../../domain/flights/contract.ts'
import { isAboard, permits } from '../../../../domain/flights/query/visible.ts'
import { gpxPieces, type StoredTrack } from '../../../../domain/flights/tracks/files/write-gpx.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import { AppError, notFound } from '../../../../lib/errors.ts'
import { sendParts } from '../../../shared/large-answers.ts'
import { ErrorSummary, Field } from '../../components/fields.tsx'
import { DangerForm, PostForm } from '../../components/forms.tsx'
import { Pairs } from '../../components/lists.tsx'
import { Crumb, Section } from '../../components/section.tsx'
import type { Frame, PageContext } from '../../framework/context.ts'
import { requireCsrf } from '../../framework/csrf.ts'
import type { FieldErrors } from '../../framework/forms.ts'
import { allowSources } from '../../framework/headers.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { messageText } from '../../framework/service-messages.ts'
import { type IdRequest, idOf, signedInPages, type Visit } from '../../framework/signed-in.ts'
import { acceptFiles, FileTooLarge, fileLimitOf, readUpload } from '../../framework/upload.ts'
import { Atlas, atlasScripts } from '../../maps/atlas.tsx'
import type { MapDrawing } from '../../maps/draw.ts'
import { mapChoice } from '../../maps/map-choice.ts'
import { HeightLegend } from '../../maps/route-map.tsx'
import { flightMaps } from './flight-map.ts'

interface Props extends Frame {
  flight: Flight
  map: MapDrawing | undefined
  fieldErrors: FieldErrors
  canEdit: boolean
}

const pathOf = (id: number) => `/flights/${id}/track`

function StoredTrackSection({ flight, map, formats, basePath }: Props) {
  const t = useTexts().flights
  const { id, track } = flight
  if (!track) return <p>{t.noTrack}</p>
  const pairs: [string, ComponentChildren][] = [
    [t.trackPoints, formats.count(track.pointCount)],
    [t.format, t.formats[track.sourceFormat]],
    [t.saved, formats.moment(track.updatedAt)],
  ]
  if (track.sourceName) pairs.splice(2, 0, [t.name, <bdi>{track.sourceName}</bdi>])
  return (
    <Section id="stored" title={t.savedTrack}>
      {map && <Atlas size="low" basePath={basePath} drawing={map} data={`${basePath}/flights/${id}/map.json`} />}
      {map && <HeightLegend drawing={map} formats={formats} />}
      <Pairs class="facts wide" pairs={pairs} />
      <p class="actions">
        <a class="button" href={`${basePath}${pathOf(id)}.gpx`} download>
          {t.downloadGpx}
        </a>
        <a class="button" href={`${basePath}${pathOf(id)}.json`} download>
          {t.downloadJson}
        </a>
      </p>
    </Section>
  )
}

function Upload({ flight: { id, track }, fieldErrors, viewer, basePath }: Props) {
  const t = useTexts().flights
  return (
    <Section id="upload" title={track ? t.replaceTrack : t.addTrack}>
      <PostForm
        action={basePath + pathOf(id)}
        csrf={viewer.csrf}
        submit={track ? t.replaceTrack : t.saveTrack}
        encType="multipart/form-data"
      >
        <Field
          id="file"
          name="file"
          label={t.file}
          hint={t.fileHint}
          fieldError={fieldErrors.file}
          input={{ type: 'file', required: true }}
        />
        {track && <p class="warning">{t.replaceWarning}</p>}
      </PostForm>
    </Section>
  )
}

function FlightTrackPage(props: Props) {
  const { flight, basePath, viewer, fieldErrors, canEdit } = props
  const t = useTexts().flights
  const ends = { from: codeOf(flight.from), to: codeOf(flight.to) }
  return (
    <Layout {...props} title={t.trackTitle(ends)} place="home" below scripts={props.map ? atlasScripts : []}>
      <Crumb href={`${basePath}/flights/${flight.id}`}>{t.route(ends)}</Crumb>
      <h1>{t.track}</h1>
      <ErrorSummary fieldErrors={fieldErrors} fields={{ file: { id: 'file', label: t.file } }} />
      <StoredTrackSection {...props} />
      {canEdit && <Upload {...props} />}
      {canEdit && flight.track && (
        <div class="removal">
          <DangerForm
            action={`${basePath}${pathOf(flight.id)}/delete`}
            csrf={viewer.csrf}
            summary={t.deleteThisTrack}
            button={t.deleteTrack}
          >
            <p>{t.deleteWarning}</p>
          </DangerForm>
        </div>
      )}
    </Layout>
  )
}

export async function flightTrack(app: FastifyInstance, context: PageContext): Promise<void> {
  const { flights, tracks } = context
  const maps = flightMaps(context)
  const pages = signedInPages(app, context)
  const limit = fileLimitOf(app)
  await acceptFiles(app)

  async function show(
    { caller, request, reply, formats, frame, send }: Visit<IdRequest>,
    status = 200,
    fieldErrors: FieldErrors = {},
  ) {
    const flight = flights.get(caller, idOf(request, 'flight'))
    if (flight.track) allowSources(reply, 'worker')
    return send(
      <FlightTrackPage
        {...frame}
        flight={flight}
        map={flight.track ? await maps.drawing(flight, formats, mapChoice(request)) : undefined}
        fieldErrors={fieldErrors}
        canEdit={permits(caller, 'flight.update', isAboard(caller, flight))}
      />,
      status,
    )
  }

  pages.get<IdRequest>('/flights/:id/track', (visit) => show(visit))

  pages.upload<IdRequest>('/flights/:id/track', async (visit) => {
    const { caller, request, reply } = visit
    const t = visit.texts.flights
    const id = idOf(request, 'flight')
    // Authorize before reading the file.
    const { from, to } = flights.get(caller, id)
    flights.decide.update(caller, id, { track: null })
    const again = (status: number, file: string) => show(visit, status, { file })
    let name = ''
    const named = (given: string) => {
      name = given
    }
    try {
      const upload = { request, reply, userId: caller.userId, named }
      const content = await readUpload(upload, limit, () => requireCsrf(request))
      if (!content || content.length === 0) return again(422, t.emptyFile)
      await tracks.putFile(caller, id, { content, name, ends: { from, to } })
    } catch (error) {
      if (error instanceof FileTooLarge) return again(413, error.message)
      const isRefused = error instanceof AppError && ['bad_request', 'validation_failed'].includes(error.code)
      if (isRefused && request.body) return again(422, messageText(error.message, visit.texts))
      throw error
    }
    return visit.back(pathOf(id), t.trackSaved)
  })

  pages.post<IdRequest>('/flights/:id/track/delete', async ({ caller, request, texts, back }) => {
    const id = idOf(request, 'flight')
    await tracks.remove(caller, id)
    return back(pathOf(id), texts.flights.trackDeleted)
  })

  async function findTrack({ caller, request }: Visit<IdRequest>) {
    const id = idOf(request, 'flight')
    const { date, from, to } = flights.get(caller, id)
    const record = jsonOf(await tracks.get(caller, id))
    if (record === undefined) throw notFound('track')
    const parts = [record].flat().map((part) => (typeof part === 'string' ? Buffer.from(part) : part)) as Buffer[]
    return { parts, name: `${date}-${codeOf(from)}-${codeOf(to)}`.replace(/[^\w-]/g, '') }
  }

  const asFile = (reply: FastifyReply, type: string, name: string) =>
    reply
      .type(type)
      .header('cache-control', 'private, no-store')
      .header('content-disposition', `attachment; filename="${name}"`)

  pages.get<IdRequest>('/flights/:id/track.json', async (visit) => {
    const { parts, name } = await findTrack(visit)
    asFile(visit.reply, 'application/json; charset=utf-8', `${name}.json`)
    return sendParts(visit.reply, [Buffer.from('{"data":'), ...parts, Buffer.from('}')])
  })

  pages.get<IdRequest>('/flights/:id/track.gpx', async (visit) => {
    const { parts, name } = await findTrack(visit)
    const track = JSON.parse(Buffer.concat(parts).toString('utf8')) as StoredTrack
    asFile(visit.reply, 'application/gpx+xml; charset=utf-8', `${name}.gpx`)
    return visit.reply.send(Readable.from(gpxPieces(track, name), { objectMode: false }))
  })
}
