import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))

const [, settings = '', flags = ''] = /^(.+) exec node (.+) dist\/main\.js$/.exec(scripts.start)!

/** Of every server that is started here; `npm run proofs:small-heap` sets it. */
const heap = process.env.SERVER_HEAP_MB

/** What `npm start` gives to Node. */
export const startFlags = [...flags.split(' '), ...(heap ? [`--max-old-space-size=${heap}`] : [])]

/** And to the allocator beneath it, which would else keep the memory of every password that was checked. */
export const startEnvironment: Record<string, string> = Object.fromEntries(
  settings.split(' ').map((setting) => setting.split('=')),
)
