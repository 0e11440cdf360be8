import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { mutex } from '../../../lib/mutex.ts'

const MAX_WAIT_MS = 30_000
const takeTurn = mutex(MAX_WAIT_MS, 'Another picture is being drawn; try again in a minute.')

/** In the same folder in src and in dist. */
const PROGRAM = join(import.meta.dirname, `picture-worker${extname(import.meta.filename)}`)

const renderInWorker = (svg: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(PROGRAM, { workerData: svg, name: 'picture' })
    let png: Uint8Array | undefined
    worker.on('message', (message: Uint8Array) => {
      png = message
    })
    worker.on('error', reject)
    worker.on('exit', () => {
      if (png) resolve(Buffer.from(png.buffer, png.byteOffset, png.byteLength))
      else reject(new Error('The worker that draws a picture ended too early.'))
    })
  })

/** Renders an SVG. Each picture has its own worker: resvg's memory is freed when the thread ends. */
export const renderPng = (svg: string): Promise<Buffer> => takeTurn(() => renderInWorker(svg))
