/** Most bodies are shorter by far; they wait for nobody. */
export const LARGE_BODY = 1024 * 1024

interface Reservation {
  resume: () => void
  held: number
  isWaiting: boolean
}

/**
 * Large bodies that arrive at the same time share the memory of one: who finds it taken waits with sending, except for the
 * one that has sent most, so that somebody always gets done. Fifty uploads in parallel then take their time, but not
 * the memory of fifty.
 */
function bodyMemory() {
  const reservations = new Set<Reservation>()
  let held = 0

  const isLargest = ({ held: own }: Reservation) => [...reservations].every((other) => other.held <= own)

  function wake(reservation: Reservation): void {
    reservation.isWaiting = false
    reservation.resume()
  }

  return (limit: number, resume: () => void) => {
    const reservation: Reservation = { resume, held: 0, isWaiting: false }
    let isReleased = false
    return {
      /** Whether to go on at once; otherwise `resume` is called when it is time. */
      grow(bytes: number): boolean {
        // A last piece may still come in from a client that has hung up.
        if (isReleased) return true
        reservations.add(reservation)
        reservation.held += bytes
        held += bytes
        reservation.isWaiting = held > limit && reservation.held > LARGE_BODY && !isLargest(reservation)
        return !reservation.isWaiting
      },
      release(): void {
        if (isReleased) return
        isReleased = true
        reservations.delete(reservation)
        held -= reservation.held
        if (reservation.isWaiting) wake(reservation)
        for (const other of reservations) {
          if (other.isWaiting && (held <= limit || isLargest(other))) wake(other)
        }
      },
    }
  }
}

/** One for the process, like its memory. */
export const reserveBodyMemory = bodyMemory()
