import { once } from 'node:events'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { mutex } from '../../../lib/mutex.ts'
import { english } from '../../../messages/english.ts'

const MAX_WAIT_MS = 30_000
const takeTurn = mutex(MAX_WAIT_MS, english.busy.picture)

const PROGRAM = join(import.meta.dirname, `picture-worker${extname(import.meta.filename)}`)

async function renderInWorker(svg: string): Promise<Buffer> {
  const worker = new Worker(PROGRAM, { workerData: svg, name: 'picture' })
  const exit = once(worker, 'exit')
  const [png] = await Promise.race([once(worker, 'message'), exit])
  await exit
  if (!(png instanceof Uint8Array)) throw new Error('The picture worker ended without a result.')
  return Buffer.from(png.buffer, png.byteOffset, png.byteLength)
}

/** Renders an SVG. Each picture has its own worker: resvg's memory is freed when the thread ends. */
export const renderPng = (svg: string): Promise<Buffer> => takeTurn(() => renderInWorker(svg))
