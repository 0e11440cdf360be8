import { accessSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { Resvg } from '@resvg/resvg-js'
import { packageRoot } from '../../../lib/package-root.ts'

const fonts = ['Inter-Medium.ttf', 'Inter-SemiBold.ttf'].map((name) => join(packageRoot, 'dist/fonts', name))

// resvg leaves out text without an error when a font is missing.
for (const font of fonts) accessSync(font)
const picture = new Resvg(workerData as string, { font: { fontFiles: fonts, loadSystemFonts: false } }).render()
parentPort!.postMessage(picture.asPng())
