import { type JsonText, jsonText } from '../../contract/answer.ts'
import { serializerOf } from '../../contract/serializer.ts'
import { changeMarks } from '../../db/changes.ts'
import type { Db } from '../../db/open.ts'
import { Flight } from './contract.ts'

/** A few megabytes: more than the pages that people and programs keep asking for. */
const MOST_KEPT = 2_000

interface Kept {
  readonly flight: Flight
  /**
   * As it stands in a list of v1, written when it is first asked for: pages never do. Bytes and not text: one letter
   * beyond Latin would double the text of a whole page and its cost.
   */
  readonly inList: Buffer
  /** The answer to whoever asks for this flight alone. As text it leaves together with the head, in one piece. */
  readonly alone: JsonText
}

/**
 * Flights and their JSON, kept until anything at all is written, by this process or another one: a log is read far
 * more often than it is changed, and reading its cells and writing their text is most of what a page costs.
 */
export function flightTexts(db: Db, read: (ids: readonly number[]) => Flight[]) {
  const marks = changeMarks(db)
  const serialize = serializerOf(Flight)
  const kept = new Map<number, Kept>()
  let mark = ''

  function keptOf(flight: Flight): Kept {
    let inList: Buffer | undefined
    let alone: JsonText | undefined
    return {
      flight,
      get inList() {
        inList ??= Buffer.from(serialize(flight))
        return inList
      },
      get alone() {
        alone ??= jsonText(`{"data":${serialize(flight)}}`)
        return alone
      },
    }
  }

  function fill(ids: readonly number[]): void {
    if (kept.size + ids.length > MOST_KEPT) kept.clear()
    const missing = ids.filter((id) => !kept.has(id))
    if (missing.length === 0) return
    for (const flight of read(missing)) kept.set(flight.id, keptOf(Object.freeze(flight)))
  }

  /** In the order of the ids; a flight that does not exist is left out. */
  return function textsOf(ids: readonly number[]): Kept[] {
    const now = marks.any()
    if (now !== mark) {
      kept.clear()
      mark = now
    }
    fill(ids)
    return ids.flatMap((id) => kept.get(id) ?? [])
  }
}
