import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from './paxlog.ts'

export interface Copy {
  flights: Map<number, unknown>
  cursor: string | undefined
}
export type Follow = (copy: Copy, options: { url: string; key: string; scope?: string }) => Promise<Copy>

/** Loads the example code of the documentation. */
export async function documentedFollower(): Promise<{ follow: Follow; lines: number }> {
  const text = readFileSync(join(import.meta.dirname, '../../docs/sync.md'), 'utf8')
  const [, code] = /```js\n([\s\S]*?)```/.exec(text)!
  const file = join(temporaryFolder(), 'follow.mjs')
  writeFileSync(file, code!)
  const { follow } = (await import(pathToFileURL(file).href)) as { follow: Follow }
  return { follow, lines: code!.trimEnd().split('\n').length }
}
