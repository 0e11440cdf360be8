import { AppError } from '../../lib/errors.ts'
import { isWithinLength } from '../../lib/text.ts'
import { english } from '../../messages/english.ts'
import { MAX_GUEST_LENGTH } from '../flights/contract.ts'
import { type FilePassenger, type FileUser, type ParsedFlight, shown } from './formats/row.ts'

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

/** In an error message. */
const MAX_LISTED_USERS = 20

/** The file's user whose flights a personal import reads (contract 5.2). */
export function chooseUser(users: readonly FileUser[], wanted: string | undefined, own: string): FileUser {
  const named = (name: string) => users.find(({ username }) => username.toLowerCase() === name.toLowerCase())
  const only = users.length === 1 ? users[0] : undefined
  const chosen = wanted === undefined ? (named(own) ?? only) : (users.find(({ id }) => id === wanted) ?? named(wanted))
  if (chosen) return chosen
  const listed = users.slice(0, MAX_LISTED_USERS).map(({ username }) => username)
  const names = [...listed, ...(users.length > MAX_LISTED_USERS ? ['…'] : [])].join(', ')
  throw new UserNotChosen(notChosenMessage(names, wanted, own), userNames(users))
}

function notChosenMessage(names: string, wanted: string | undefined, own: string): string {
  const { noUsers, noSuchUser, noSuchUserAndNone, severalUsers } = english.import
  if (wanted === undefined) return names === '' ? noUsers : severalUsers({ username: own, users: names })
  const user = shown(wanted)
  return names === '' ? noSuchUserAndNone({ user }) : noSuchUser({ user, users: names })
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

const asUser = ({ user: _, ...rest }: FilePassenger, userId: string): Traveller => ({
  ...rest,
  userId,
  guestName: null,
})

/** The chosen user becomes the importing one, all others become guests. Undefined if the chosen user is not on the flight. */
export function personalTravellers(flight: ParsedFlight, chosen: FileUser, userId: string): Traveller[] | undefined {
  const passengers = flight.passengers ?? []
  const own = passengers.find(({ user }) => user?.id === chosen.id)
  if (!own) return undefined
  return withoutRepetition(
    passengers.map((passenger) => (passenger === own ? asUser(passenger, userId) : asGuest(passenger))),
  )
}

/** The file's users become local users of the same name; those without one become guests. */
export function restoredTravellers(flight: ParsedFlight, local: ReadonlyMap<string, string>): Traveller[] {
  const matched = new Set<string>()
  return withoutRepetition(
    (flight.passengers ?? []).map((passenger) => {
      const id = passenger.user && local.get(passenger.user.username.toLowerCase())
      if (!id || matched.has(id)) return asGuest(passenger)
      matched.add(id)
      return asUser(passenger, id)
    }),
  )
}
