export const LARGE_BODY = 1024 * 1024

interface Reservation {
  userId: string | undefined
  resume: () => void
  held: number
  isWaiting: boolean
}

export type BodyMemory = ReturnType<typeof reserveBodyMemory>

const reservations = new Set<Reservation>()
let totalHeld = 0

function hasTurn(reservation: Reservation): boolean {
  if (reservation.userId === undefined) return true
  for (const other of reservations) if (other.userId === reservation.userId) return other === reservation
  return true
}

function isLargest(reservation: Reservation): boolean {
  for (const other of reservations) if (other.held > reservation.held && hasTurn(other)) return false
  return true
}

const canContinue = (reservation: Reservation, limit: number) =>
  hasTurn(reservation) && (totalHeld <= limit || isLargest(reservation))

function wakeOthers(limit: number): void {
  for (const other of reservations) {
    if (!other.isWaiting || !canContinue(other, limit)) continue
    other.isWaiting = false
    other.resume()
  }
}

/** Concurrent large bodies share the memory of one, and each user has one at a time. The largest always continues. */
export function reserveBodyMemory(limit: number, userId: string | undefined, resume: () => void) {
  const reservation: Reservation = { userId, resume, held: 0, isWaiting: false }
  let [isReleased, isEnded] = [false, false]

  function release(): void {
    if (isReleased) return
    isReleased = true
    totalHeld -= reservation.held
    reservation.held = 0
    wakeOthers(limit)
  }

  return {
    /** If false, the body must pause until `resume` is called. */
    grow(bytes: number): boolean {
      // A last piece may arrive after the client has disconnected.
      if (isReleased) return true
      reservation.held += bytes
      totalHeld += bytes
      if (reservation.held <= LARGE_BODY) return true
      reservations.add(reservation)
      reservation.isWaiting = !canContinue(reservation, limit)
      return !reservation.isWaiting
    },
    release,
    /** Call when the answer is ready or the client has disconnected: the user's next body continues. */
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
