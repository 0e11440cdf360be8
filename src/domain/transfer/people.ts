import { AppError } from '../../lib/errors.ts'
import { isWithinLength } from '../../lib/text.ts'
import { MAX_GUEST_LENGTH } from '../flights/contract.ts'
import type { FilePassenger, FileUser, ParsedFlight } from './formats/row.ts'
import { shown } from './formats/row.ts'

/** A passenger to be stored, with the custom values of the file. */
export interface Traveller extends Omit<FilePassenger, 'user'> {
  userId: string | null
}

/** None of the file's users can be identified as the importing one. */
export class UserNotChosen extends AppError {
  readonly users: readonly string[]

  constructor(message: string, users: readonly string[]) {
    super('validation_failed', message)
    this.name = 'UserNotChosen'
    this.users = users
  }
}

const MAX_OFFERED_USERS = 50

export const userNames = (users: readonly FileUser[] = []): string[] =>
  users.slice(0, MAX_OFFERED_USERS).map(({ username }) => username)

/** Users that an error message lists. */
const MAX_LISTED_USERS = 20

/** The file's user whose flights a personal import reads (contract 5.2). */
export function chooseUser(users: readonly FileUser[], wanted: string | undefined, own: string): FileUser {
  const named = (name: string) => users.find(({ username }) => username.toLowerCase() === name.toLowerCase())
  const names = [
    ...users.slice(0, MAX_LISTED_USERS).map(({ username }) => username),
    ...(users.length > MAX_LISTED_USERS ? ['…'] : []),
  ].join(', ')
  if (wanted !== undefined) {
    const chosen = users.find(({ id }) => id === wanted) ?? named(wanted)
    if (!chosen) {
      const sentence = `The file has no user ${shown(wanted)}; its users are ${names || 'none'}.`
      throw new UserNotChosen(sentence, userNames(users))
    }
    return chosen
  }
  const chosen = named(own) ?? (users.length === 1 ? users[0] : undefined)
  if (chosen) return chosen
  throw new UserNotChosen(
    users.length === 0
      ? 'The file names no users, so it cannot be told which flights are yours.'
      : `The file has several users and none is named ${own}: choose one with fileUser (${names}).`,
    userNames(users),
  )
}

/** Numbers repeated guest names, which must be unique on a flight. */
function withoutRepetition(travellers: Traveller[]): Traveller[] {
  const taken = new Set<string>()
  /** The last number of each name, so that a hundred equal names are not tried again. */
  const last = new Map<string, number>()
  return travellers.map((traveller) => {
    if (traveller.userId !== null || traveller.guestName === null) return traveller
    const name = traveller.guestName.trim()
    // A longer name is rejected later, with the body.
    if (!isWithinLength(name, MAX_GUEST_LENGTH)) return traveller
    let guestName = name
    for (let number = (last.get(name) ?? 1) + 1; taken.has(guestName); number++) {
      const suffix = ` (${number})`
      guestName = [...name].slice(0, MAX_GUEST_LENGTH - suffix.length).join('') + suffix
      last.set(name, number)
    }
    taken.add(guestName)
    return { ...traveller, guestName }
  })
}

const asGuest = ({ user, guestName, ...rest }: FilePassenger): Traveller => ({
  ...rest,
  userId: null,
  guestName: [guestName, user?.displayName, user?.username].find((name) => name?.trim()) ?? guestName,
})

const isSame = (user: FileUser | null, chosen: FileUser) => user !== null && user.id === chosen.id

/** The chosen user becomes the importing one, all others become guests. Undefined if the chosen user is not on the flight. */
export function personalTravellers(flight: ParsedFlight, chosen: FileUser, userId: string): Traveller[] | undefined {
  const passengers = flight.passengers ?? []
  if (!passengers.some(({ user }) => isSame(user, chosen))) return undefined
  let found = false
  return withoutRepetition(
    passengers.map((passenger) => {
      if (found || !isSame(passenger.user, chosen)) return asGuest(passenger)
      found = true
      const { user: _, ...rest } = passenger
      return { ...rest, userId, guestName: null }
    }),
  )
}

/** The file's users become local users of the same name; those without one become guests. */
export function restoredTravellers(flight: ParsedFlight, local: ReadonlyMap<string, string>): Traveller[] {
  const aboard = new Set<string>()
  return withoutRepetition(
    (flight.passengers ?? []).map((passenger) => {
      const id = passenger.user && local.get(passenger.user.username.toLowerCase())
      if (!id || aboard.has(id)) return asGuest(passenger)
      aboard.add(id)
      const { user: _, ...rest } = passenger
      return { ...rest, userId: id, guestName: null }
    }),
  )
}
