import type { Db } from './open.ts'

/** Cheap marks that tell whether something read earlier may still be used. */
export function changeMarks(db: Db) {
  const own = db.$client.prepare('select total_changes()').pluck()
  const foreign = db.$client.prepare('select data_version from pragma_data_version').pluck()
  let unfinished = 0
  return {
    /** Differs after any row was written, by this process or another one. */
    any: () =>
      // What a transaction reads may be undone, so nothing read inside one is ever used again.
      db.$client.inTransaction ? `unfinished ${++unfinished}` : `${own.get()}/${foreign.get()}`,
    /** Differs after another process committed something. */
    foreign: () => foreign.get() as number,
  }
}
