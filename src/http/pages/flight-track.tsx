import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { jsonOf } from '../../contract/answer.ts'
import { gpxPieces, type StoredTrack } from '../../domain/flights/track-files/write-gpx.ts'
import { isAboard, permits } from '../../domain/flights/visible.ts'
import { codeOf } from '../../domain/reference/contract.ts'
import { AppError, notFound } from '../../lib/errors.ts'
import { sendParts } from '../shared/large-answers.ts'
import type { PageContext } from './context.ts'
import { flightMaps } from './flight-map.ts'
import type { Faults } from './forms.ts'
import { requireCaller } from './session.ts'
import { type IdRequest, idOf, pageBelow, signedInPages } from './signed-in.ts'
import { acceptFiles, FileTooLarge, fileLimitOf, readUpload } from './upload.ts'
import { FlightTrackPage } from './views/flight-track.tsx'
import { sendPage } from './views/layout.tsx'

interface Shown {
  status?: number
  faults?: Faults
}

const pageOf = (request: FastifyRequest<IdRequest>) => `${pageBelow('/flights', request)}/track`

/** The track of a flight: put there from a file, taken along as one, taken away. */
export async function flightTrack(app: FastifyInstance, context: PageContext): Promise<void> {
  const { flights, tracks } = context
  const maps = flightMaps(context)
  const { frame, requireForm, back } = signedInPages(context)
  const limit = fileLimitOf(app)
  await acceptFiles(app)

  async function show(request: FastifyRequest<IdRequest>, reply: FastifyReply, caller: Caller, shown: Shown = {}) {
    const flight = flights.get(caller, idOf(request, 'flight'))
    const page = frame(request, caller)
    return sendPage(
      reply,
      shown.status ?? 200,
      <FlightTrackPage
        {...page}
        flight={flight}
        map={flight.track ? await maps.drawing(flight, page.formats) : undefined}
        faults={shown.faults ?? {}}
        mayChange={permits(caller, 'flight.update', isAboard(caller, flight))}
      />,
    )
  }

  app.get<IdRequest>('/flights/:id/track', async (request, reply) => show(request, reply, requireCaller(request)))

  app.post<IdRequest>('/flights/:id/track', async (request, reply) => {
    const page = pageOf(request)
    const caller = requireCaller(request, context.basePath + page)
    const id = idOf(request, 'flight')
    // Before the file is read: who may not change the flight sends nothing.
    const flight = flights.get(caller, id)
    flights.decide.update(caller, id, { track: null })
    const again = (status: number, file: string) => show(request, reply, caller, { status, faults: { file } })
    let name = ''
    const named = (given: string) => {
      name = given
    }
    try {
      const upload = { request, reply, userId: caller.userId, named }
      const file = await readUpload(upload, limit, () => requireForm(request, page))
      if (!file || file.length === 0) return again(422, 'Choose a file that is not empty.')
      const { from, to } = flight
      await tracks.putFile(caller, id, { content: file, name, ends: { from, to } })
    } catch (error) {
      if (error instanceof FileTooLarge) return again(413, error.message)
      const isRefused = error instanceof AppError && ['bad_request', 'validation_failed'].includes(error.code)
      if (isRefused && request.body) return again(422, error.message)
      throw error
    }
    return back(request, reply, page, 'The track was stored.')
  })

  app.post<IdRequest>('/flights/:id/track/delete', async (request, reply) => {
    const page = pageOf(request)
    const caller = requireForm(request, page)
    await tracks.remove(caller, idOf(request, 'flight'))
    return back(request, reply, page, 'The track was removed.')
  })

  /** The record as v1 has it, in parts. */
  async function stored(request: FastifyRequest<IdRequest>) {
    const caller = requireCaller(request)
    const id = idOf(request, 'flight')
    const flight = flights.get(caller, id)
    const record = jsonOf(await tracks.get(caller, id))
    if (record === undefined) throw notFound('track')
    const parts = [record].flat().map((part) => (typeof part === 'string' ? Buffer.from(part) : part)) as Buffer[]
    const { date, from, to } = flight
    return { parts, name: `${date}-${codeOf(from)}-${codeOf(to)}`.replace(/[^\w-]/g, '') }
  }

  const asFile = (reply: FastifyReply, type: string, name: string) =>
    reply
      .type(type)
      .header('cache-control', 'private, no-store')
      .header('content-disposition', `attachment; filename="${name}"`)

  app.get<IdRequest>('/flights/:id/track.json', async (request, reply) => {
    const { parts, name } = await stored(request)
    asFile(reply, 'application/json; charset=utf-8', `${name}.json`)
    return sendParts(reply, [Buffer.from('{"data":'), ...parts, Buffer.from('}')])
  })

  app.get<IdRequest>('/flights/:id/track.gpx', async (request, reply) => {
    const { parts, name } = await stored(request)
    const track = JSON.parse(Buffer.concat(parts).toString('utf8')) as StoredTrack
    asFile(reply, 'application/gpx+xml; charset=utf-8', `${name}.gpx`)
    return reply.send(Readable.from(gpxPieces(track, name), { objectMode: false }))
  })
}
