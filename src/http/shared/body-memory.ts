/** Most bodies are shorter by far; they wait for nobody. */
export const LARGE_BODY = 1024 * 1024

interface Reservation {
  userId: string | undefined
  resume: () => void
  held: number
  isWaiting: boolean
}

export type BodyMemory = ReturnType<typeof reserveBodyMemory>

/**
 * Large bodies that arrive at the same time share the memory of one, and each user has one at a time. Who has to wait stops
 * sending. Of those whose turn it is the one that has sent most goes on however much is taken, so that somebody always gets
 * done: fifty uploads in parallel take their time, but not the memory of fifty.
 */
function bodyMemory() {
  /** In the order in which they became large. */
  const reservations = new Set<Reservation>()
  let held = 0

  function hasTurn(reservation: Reservation): boolean {
    if (reservation.userId === undefined) return true
    for (const other of reservations) if (other.userId === reservation.userId) return other === reservation
    return true
  }

  function isLargest(reservation: Reservation): boolean {
    for (const other of reservations) if (other.held > reservation.held && hasTurn(other)) return false
    return true
  }

  const mayGoOn = (reservation: Reservation, limit: number) =>
    hasTurn(reservation) && (held <= limit || isLargest(reservation))

  function wakeOthers(limit: number): void {
    for (const other of reservations) {
      if (!other.isWaiting || !mayGoOn(other, limit)) continue
      other.isWaiting = false
      other.resume()
    }
  }

  return (limit: number, userId: string | undefined, resume: () => void) => {
    const reservation: Reservation = { userId, resume, held: 0, isWaiting: false }
    let [isReleased, isEnded] = [false, false]

    function release(): void {
      if (isReleased) return
      isReleased = true
      held -= reservation.held
      reservation.held = 0
      wakeOthers(limit)
    }

    return {
      /** Whether to go on at once; otherwise `resume` is called when it is time. */
      grow(bytes: number): boolean {
        // A last piece may still come in from a client that has hung up.
        if (isReleased) return true
        reservation.held += bytes
        held += bytes
        if (reservation.held <= LARGE_BODY) return true
        reservations.add(reservation)
        reservation.isWaiting = !mayGoOn(reservation, limit)
        return !reservation.isWaiting
      },
      /** The body was read: its memory is for others. */
      release,
      /** Its answer is ready, or nobody waits for one: it is the turn of the user's next body. */
      end(): void {
        if (isEnded) return
        isEnded = true
        reservations.delete(reservation)
        if (reservation.isWaiting) resume()
        if (isReleased) wakeOthers(limit)
        else release()
      },
    }
  }
}

/** One for the process, like its memory. */
export const reserveBodyMemory = bodyMemory()
