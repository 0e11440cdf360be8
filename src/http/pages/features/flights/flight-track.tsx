import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { jsonOf } from '../../../../contract/answer.ts'
import { isAboard, permits } from '../../../../domain/flights/query/visible.ts'
import { gpxPieces, type StoredTrack } from '../../../../domain/flights/tracks/files/write-gpx.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import { AppError, notFound } from '../../../../lib/errors.ts'
import { sendParts } from '../../../shared/large-answers.ts'
import type { PageContext } from '../../framework/context.ts'
import { requireCsrf } from '../../framework/csrf.ts'
import type { Faults } from '../../framework/forms.ts'
import { type IdRequest, idOf, signedInPages, type Visit } from '../../framework/signed-in.ts'
import { acceptFiles, FileTooLarge, fileLimitOf, readUpload } from '../../framework/upload.ts'
import { flightMaps } from './flight-map.ts'
import { FlightTrackPage } from './flight-track-page.tsx'

const pathOf = (id: number) => `/flights/${id}/track`

/** Upload, download and removal of the track of a flight. */
export async function flightTrack(app: FastifyInstance, context: PageContext): Promise<void> {
  const { flights, tracks } = context
  const maps = flightMaps(context)
  const pages = signedInPages(app, context)
  const limit = fileLimitOf(app)
  await acceptFiles(app)

  async function show({ caller, request, formats, frame, send }: Visit<IdRequest>, status = 200, faults: Faults = {}) {
    const flight = flights.get(caller, idOf(request, 'flight'))
    return send(
      <FlightTrackPage
        {...frame}
        flight={flight}
        map={flight.track ? await maps.drawing(flight, formats) : undefined}
        faults={faults}
        mayChange={permits(caller, 'flight.update', isAboard(caller, flight))}
      />,
      status,
    )
  }

  pages.get<IdRequest>('/flights/:id/track', (visit) => show(visit))

  pages.upload<IdRequest>('/flights/:id/track', async (visit) => {
    const { caller, request, reply } = visit
    const id = idOf(request, 'flight')
    // Authorize before reading the file.
    const flight = flights.get(caller, id)
    flights.decide.update(caller, id, { track: null })
    const again = (status: number, file: string) => show(visit, status, { file })
    let name = ''
    const named = (given: string) => {
      name = given
    }
    try {
      const upload = { request, reply, userId: caller.userId, named }
      const file = await readUpload(upload, limit, () => requireCsrf(request))
      if (!file || file.length === 0) return again(422, 'Choose a file that is not empty.')
      const { from, to } = flight
      await tracks.putFile(caller, id, { content: file, name, ends: { from, to } })
    } catch (error) {
      if (error instanceof FileTooLarge) return again(413, error.message)
      const isRefused = error instanceof AppError && ['bad_request', 'validation_failed'].includes(error.code)
      if (isRefused && request.body) return again(422, error.message)
      throw error
    }
    return visit.back(pathOf(id), 'The track was stored.')
  })

  pages.post<IdRequest>('/flights/:id/track/delete', async ({ caller, request, back }) => {
    const id = idOf(request, 'flight')
    await tracks.remove(caller, id)
    return back(pathOf(id), 'The track was removed.')
  })

  async function stored({ caller, request }: Visit<IdRequest>) {
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
    const { parts, name } = await stored(visit)
    asFile(visit.reply, 'application/json; charset=utf-8', `${name}.json`)
    return sendParts(visit.reply, [Buffer.from('{"data":'), ...parts, Buffer.from('}')])
  })

  pages.get<IdRequest>('/flights/:id/track.gpx', async (visit) => {
    const { parts, name } = await stored(visit)
    const track = JSON.parse(Buffer.concat(parts).toString('utf8')) as StoredTrack
    asFile(visit.reply, 'application/gpx+xml; charset=utf-8', `${name}.gpx`)
    return visit.reply.send(Readable.from(gpxPieces(track, name), { objectMode: false }))
  })
}
