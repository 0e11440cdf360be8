import type { Readable } from 'node:stream'

interface Place {
  stream: Readable
  held: number
  waits: boolean
}

/**
 * Long bodies that arrive at the same time share the room of one: who finds it full waits with sending, except for the
 * one that has sent most, so that somebody always gets done. Fifty uploads in parallel then take their time, but not
 * the memory of fifty.
 */
function bodyRoom() {
  const places = new Set<Place>()
  let held = 0

  const isLargest = ({ held: mine }: Place) => [...places].every((other) => other.held <= mine)

  function wakeOthers(limit: number): void {
    for (const place of places) {
      if (!place.waits || (held > limit && !isLargest(place))) continue
      place.waits = false
      place.stream.resume()
    }
  }

  return (stream: Readable, limit: number) => {
    const place: Place = { stream, held: 0, waits: false }
    return {
      take(bytes: number): void {
        places.add(place)
        place.held += bytes
        held += bytes
        if (held <= limit || isLargest(place)) return
        place.waits = true
        stream.pause()
      },
      leave(): void {
        if (!places.delete(place)) return
        held -= place.held
        wakeOthers(limit)
      },
    }
  }
}

/** One for the process, like its memory. */
export const enterBodyRoom = bodyRoom()
