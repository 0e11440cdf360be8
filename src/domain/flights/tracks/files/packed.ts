import { type PackedTrack, packTrack } from '../packing.ts'
import { readTrackFile } from './read.ts'
import type { Ends } from './readsb.ts'

export interface TrackFile {
  /** Transferred to the worker: unusable afterwards. */
  content: Buffer
  name: string
  ends: Ends
}

export type ReadTrackFile = (file: TrackFile) => Promise<PackedTrack>

/** Reading a file of this size takes less time than starting a worker. */
const MAX_INLINE_BYTES = 32 * 1024

export const packTrackFile: ReadTrackFile = async ({ content, name, ends }) =>
  (await packTrack(readTrackFile(content, name, ends))).packed

/** Reads small files inline and others in a worker, if there is one. */
export const trackFileReader =
  (runInWorker: ReadTrackFile = packTrackFile): ReadTrackFile =>
  (file) =>
    file.content.length <= MAX_INLINE_BYTES ? packTrackFile(file) : runInWorker(file)
