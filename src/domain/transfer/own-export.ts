import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { TextFile } from '../../contract/answer.ts'
import type { Clock } from '../../lib/clock.ts'
import { dayOf } from '../../lib/dates.ts'
import type { FlightFilter } from '../flights/query/filter-contract.ts'
import type { FlightService } from '../flights/service.ts'
import type { TrackService } from '../flights/tracks/service.ts'
import { csvForm } from './forms/csv.ts'
import type { FileForm, Point } from './forms/form.ts'
import { geoJsonForm } from './forms/geojson.ts'
import { icsForm } from './forms/ics.ts'
import { kmlForm } from './forms/kml.ts'

const forms = { csv: csvForm, kml: kmlForm, geojson: geoJsonForm, ics: icsForm }
export type OwnForm = keyof typeof forms

const PIECE = 64 * 1024

interface Dependencies {
  clock: Clock
  baseUrl: string
  flights: FlightService
  tracks: TrackService
}

/** Exports the caller's flights in the formats of other programs. */
export function ownExport({ clock, baseUrl, flights, tracks }: Dependencies) {
  async function trackOf(id: number): Promise<readonly Point[] | undefined> {
    return (await tracks.body(id))?.coordinates as Point[] | undefined
  }

  async function* pieces({ userId, displayName }: Caller, form: FileForm, filter: FlightFilter | undefined) {
    let text = form.open(`Flights of ${displayName}`)
    let isFirst = true
    for (const some of flights.log.batches(await flights.log.idsOf({ userId }, filter))) {
      for (const flight of some) {
        const track = form.draws && flight.track ? await trackOf(flight.id) : undefined
        let isBegun = false
        for (const piece of form.flight({ flight, userId, baseUrl, track })) {
          if (!isBegun && !isFirst) text += form.between
          isBegun = true
          text += piece
          if (text.length < PIECE) continue
          yield text
          text = ''
          await nextTurn()
        }
        isFirst &&= !isBegun
      }
      await nextTurn()
    }
    yield text + form.close
  }

  /** Authorizes immediately; reads while the file is sent. */
  return function own(caller: Caller, name: OwnForm, filter: FlightFilter | undefined): TextFile {
    authorize(caller, 'exportFlights', { otherUsers: false })
    const form = forms[name]
    const day = dayOf(clock())
    return { name: `paxlog-${day}.${form.extension}`, type: form.type, pieces: pieces(caller, form, filter) }
  }
}
