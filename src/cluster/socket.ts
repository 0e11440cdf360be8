import { readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join, relative } from 'node:path'
import { Refusal } from '../lib/refusal.ts'
import { newId } from '../lib/secret.ts'

/** What the system allows, without the zero at its end. */
const LONGEST_PATH = 103

const OURS = /^writer-\w+\.sock$/

/** By the shorter of its two names, since the system takes no long ones. */
function pathOf(dataDir: string, name: string): string {
  const path = join(dataDir, name)
  const other = relative(process.cwd(), path)
  return other.length < path.length ? other : path
}

/** Where the writer of one cluster listens: beside the database, which is the one place that can be written to. */
export function socketPathIn(dataDir: string): string {
  const path = pathOf(dataDir, `writer-${newId(8)}.sock`)
  if (Buffer.byteLength(path) <= LONGEST_PATH) return path
  throw new Refusal('The path of DATA_DIR is too long for a socket, which READERS needs: choose a shorter one.')
}

const isDead = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(false)
    })
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED'))
  })

/** A supervisor that was killed has left its socket. */
export async function removeDeadSockets(dataDir: string): Promise<void> {
  for (const name of readdirSync(dataDir).filter((each) => OURS.test(each))) {
    const path = pathOf(dataDir, name)
    if (await isDead(path)) rmSync(path, { force: true })
  }
}
