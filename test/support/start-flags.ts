import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))

/** What `npm start` gives to Node. */
export const startFlags: string[] = /^exec node (.+) dist\/main\.js$/.exec(scripts.start)![1]!.split(' ')
