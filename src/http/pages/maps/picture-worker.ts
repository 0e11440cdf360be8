import { accessSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { Resvg } from '@resvg/resvg-js'
import { packageRoot } from '../../../lib/package-root.ts'

const FONT = join(packageRoot, 'src/http/pages/maps/data/Inter-SemiBold.ttf')

// resvg leaves out text without an error when a font is missing.
accessSync(FONT)
const picture = new Resvg(workerData as string, { font: { fontFiles: [FONT], loadSystemFonts: false } }).render()
parentPort!.postMessage(picture.asPng())
