import type { Via } from '../../access/caller.ts'
import { pluralize } from '../../lib/english.ts'

type SubjectKind = 'flight' | 'user' | 'role' | 'share' | 'trip' | 'key' | 'grant' | 'passkey'

/** The name of an entry of the kind `sign_in`. */
export type SignInMethod = 'password' | 'provider' | 'passkey'

interface Kind {
  label: string
  subject: SubjectKind | null
  own: boolean
  /** Follows the name of the actor. */
  describe: (facts: { name: string | null; count: number | null }) => string
}

const kind = (subject: SubjectKind | null, label: string, describe: Kind['describe']): Kind => ({
  label,
  subject,
  own: false,
  describe,
})

const ownKind: typeof kind = (...args) => ({ ...kind(...args), own: true })

const methods: Record<SignInMethod, string> = {
  password: 'a password',
  provider: 'the identity provider',
  passkey: 'a passkey',
}

/** Entries of earlier releases have no method. */
const describeSignIn = (method: string | null) =>
  method === null ? 'signed in' : `signed in with ${methods[method as SignInMethod]}`

const flights = (count: number | null) => pluralize(count ?? 0, 'flight')

/** Contract 16.13, in the order of pages. */
const activityKinds = {
  sign_in: ownKind('user', 'Sign-in', ({ name }) => describeSignIn(name)),
  'sign_in.failed': ownKind(null, 'Failed sign-in', ({ name }) => `failed to sign in as “${name}”`),
  sign_out: ownKind('user', 'Sign-out', () => 'signed out'),
  'password.changed': ownKind('user', 'Password changed', () => 'changed their own password'),
  'password.reset': ownKind('user', 'Password reset', ({ name }) => `set a new password for ${name}`),
  'identity.linked': ownKind(
    'user',
    'Provider linked',
    ({ name }) => `linked the account ${name} to the identity provider`,
  ),
  'identity.unlinked': ownKind(
    'user',
    'Provider unlinked',
    ({ name }) => `unlinked the account ${name} from the identity provider`,
  ),
  'passkey.added': ownKind('passkey', 'Passkey added', ({ name }) => `added the passkey “${name}”`),
  'passkey.removed': ownKind('passkey', 'Passkey removed', ({ name, count }) =>
    count === null ? `removed the passkey “${name}”` : `removed ${pluralize(count, 'passkey')} of the account ${name}`,
  ),
  'passkey.refused': ownKind(
    'passkey',
    'Passkey refused',
    ({ name }) => `was refused with the passkey “${name}”, because its counter went backwards and it may be a copy`,
  ),
  'key.created': ownKind('key', 'API key created', ({ name }) => `created the API key “${name}”`),
  'key.deleted': ownKind('key', 'API key deleted', ({ name }) => `deleted the API key “${name}”`),
  'grant.created': ownKind('grant', 'Application connected', ({ name }) => `connected the application “${name}”`),
  'grant.ended': ownKind('grant', 'Application disconnected', ({ name }) => `disconnected the application “${name}”`),
  'user.created': kind('user', 'Account created', ({ name }) => `created the account ${name}`),
  'user.changed': kind('user', 'Account changed', ({ name }) => `changed the account ${name}`),
  'user.deleted': kind(
    'user',
    'Account deleted',
    ({ name, count }) => `deleted the account ${name} and ${flights(count)}`,
  ),
  'role.created': kind('role', 'Role created', ({ name }) => `created the role “${name}”`),
  'role.changed': kind('role', 'Role changed', ({ name }) => `changed the role “${name}”`),
  'role.deleted': kind('role', 'Role deleted', ({ name }) => `deleted the role “${name}”`),
  'share.created': kind('share', 'Share created', ({ name }) => `created the share ${name}`),
  'share.changed': kind('share', 'Share changed', ({ name }) => `changed the share ${name}`),
  'share.deleted': kind('share', 'Share deleted', ({ name }) => `deleted the share ${name}`),
  'trip.created': ownKind('trip', 'Trip created', ({ name }) => `created the trip “${name}”`),
  'trip.changed': ownKind('trip', 'Trip changed', ({ name }) => `changed the trip “${name}”`),
  'trip.deleted': ownKind('trip', 'Trip deleted', ({ name }) => `deleted the trip “${name}”`),
  import: ownKind('user', 'Import', ({ name, count }) => `imported ${flights(count)} into the log of ${name}`),
  restore: kind(null, 'Restore', ({ count }) => `restored ${flights(count)} from a backup`),
  export: kind(
    'user',
    'Export of other people’s flights',
    ({ name }) => `exported the flights of ${name ?? 'all users'}`,
  ),
  'flight.created': ownKind('flight', 'Flight added', () => 'added the flight'),
  'flight.changed': ownKind('flight', 'Flight changed', () => 'changed the flight'),
  'flight.deleted': ownKind('flight', 'Flight deleted', () => 'deleted the flight'),
  'flight.restored': ownKind('flight', 'Flight restored', () => 'restored the flight'),
}

export type ActivityKind = keyof typeof activityKinds

export const kindNames = Object.keys(activityKinds) as ActivityKind[]
export const isActivityKind = (text: unknown): text is ActivityKind => kindNames.some((kind) => kind === text)

export const kindOf = (kind: ActivityKind): Kind => activityKinds[kind]

export interface NewEntry {
  kind: ActivityKind
  subject?: number | string
  name?: string
  count?: number
  concerns?: readonly string[]
}

export interface ActivityEntry {
  at: string
  kind: ActivityKind
  actor: { id: string; username: string } | null
  surface: Via['surface']
  credential: string | null
  address: string | null
  subject: { kind: SubjectKind; id: number | string } | null
  summary: string
}
