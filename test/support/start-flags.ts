import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))

const [, settings = '', flags = ''] = /^(.+) exec node (.+) dist\/main\.js$/.exec(scripts.start)!

/** What `npm start` gives to Node. */
export const startFlags = flags.split(' ')

/** And to the allocator beneath it, which would else keep the memory of every password that was checked. */
export const startEnvironment: Record<string, string> = Object.fromEntries(
  settings.split(' ').map((setting) => setting.split('=')),
)
