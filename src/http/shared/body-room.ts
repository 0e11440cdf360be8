/** Most bodies are shorter by far; they wait for nobody. */
export const LONG_BODY = 1024 * 1024

interface Place {
  goOn: () => void
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

  function wake(place: Place): void {
    place.waits = false
    place.goOn()
  }

  return (limit: number, goOn: () => void) => {
    const place: Place = { goOn, held: 0, waits: false }
    let hasLeft = false
    return {
      /** Whether to go on at once; otherwise `goOn` is called when it is time. */
      take(bytes: number): boolean {
        // A last piece may still come in from a client that has hung up.
        if (hasLeft) return true
        places.add(place)
        place.held += bytes
        held += bytes
        place.waits = held > limit && place.held > LONG_BODY && !isLargest(place)
        return !place.waits
      },
      leave(): void {
        if (hasLeft) return
        hasLeft = true
        places.delete(place)
        held -= place.held
        if (place.waits) wake(place)
        for (const other of places) if (other.waits && (held <= limit || isLargest(other))) wake(other)
      },
    }
  }
}

/** One for the process, like its memory. */
export const enterBodyRoom = bodyRoom()
