import type { PostgresEngine } from './client.ts'

export const COUNTED_PARTS = ['flights', 'accounts', 'credentials'] as const
type Part = (typeof COUNTED_PARTS)[number]

const HOUR_MS = 3_600_000
const KEPT_MS = 24 * HOUR_MS

/**
 * Reads the table in which triggers count the writes of each connection. Returns a function that returns the parts that
 * other connections wrote since its last call; all after a reconnect, and if rows may have been purged.
 */
export function foreignWriters(client: PostgresEngine): () => readonly Part[] {
  const all = client.prepare(
    `select process, ${COUNTED_PARTS.join(', ')} from writers where process <> pg_backend_pid()`,
  )
  let connection: number | undefined
  let seenAt = 0
  let seen = new Map<number, readonly number[]>()
  return () => {
    const rows = all.raw().all() as [process: number, ...counts: number[]][]
    const now = new Map(rows.map(([process, ...counts]) => [process, counts]))
    const isKnown = connection === client.connection && Math.abs(Date.now() - seenAt) < HOUR_MS
    const before = seen
    connection = client.connection
    seenAt = Date.now()
    seen = now
    if (!isKnown) return COUNTED_PARTS
    const isWritten = (index: number) =>
      now.entries().some(([process, counts]) => counts[index] !== (before.get(process)?.[index] ?? 0))
    return COUNTED_PARTS.filter((_part, index) => isWritten(index))
  }
}

/** Deletes the rows of connections that wrote nothing for a day. */
export function purgeWriters(client: PostgresEngine): void {
  client.exec(`delete from writers where at < (extract(epoch from clock_timestamp()) * 1000)::bigint - ${KEPT_MS}`)
}
