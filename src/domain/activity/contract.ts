import type { Via } from '../../access/caller.ts'
import type { english } from '../../messages/english.ts'

type SubjectKind = 'flight' | 'user' | 'role' | 'share' | 'trip' | 'key' | 'grant' | 'passkey'

/** The name of an entry of the kind `sign_in`. */
export type SignInMethod = 'password' | 'provider' | 'passkey'

type ActivityTexts = typeof english.activity
type Key = keyof ActivityTexts['labels']

interface Kind {
  subject: SubjectKind | null
  /** The key of its label, and of its message unless the message depends on the entry. */
  key: Key
  own: boolean
}

const kind = (subject: SubjectKind | null, key: Key): Kind => ({ subject, key, own: false })

const ownKind: typeof kind = (...args) => ({ ...kind(...args), own: true })

/** Contract 16.13, in the order of pages. */
const activityKinds = {
  sign_in: ownKind('user', 'signIn'),
  'sign_in.failed': ownKind(null, 'signInFailed'),
  sign_out: ownKind('user', 'signOut'),
  'password.changed': ownKind('user', 'passwordChanged'),
  'password.reset': ownKind('user', 'passwordReset'),
  'identity.linked': ownKind('user', 'identityLinked'),
  'identity.unlinked': ownKind('user', 'identityUnlinked'),
  'passkey.added': ownKind('passkey', 'passkeyAdded'),
  'passkey.removed': ownKind('passkey', 'passkeyRemoved'),
  'passkey.refused': ownKind('passkey', 'passkeyRefused'),
  'key.created': ownKind('key', 'keyCreated'),
  'key.deleted': ownKind('key', 'keyDeleted'),
  'grant.created': ownKind('grant', 'grantCreated'),
  'grant.ended': ownKind('grant', 'grantEnded'),
  'user.created': kind('user', 'userCreated'),
  'user.changed': kind('user', 'userChanged'),
  'user.deleted': kind('user', 'userDeleted'),
  'role.created': kind('role', 'roleCreated'),
  'role.changed': kind('role', 'roleChanged'),
  'role.deleted': kind('role', 'roleDeleted'),
  'share.created': kind('share', 'shareCreated'),
  'share.changed': kind('share', 'shareChanged'),
  'share.deleted': kind('share', 'shareDeleted'),
  'trip.created': ownKind('trip', 'tripCreated'),
  'trip.changed': ownKind('trip', 'tripChanged'),
  'trip.deleted': ownKind('trip', 'tripDeleted'),
  import: ownKind('user', 'import'),
  restore: kind(null, 'restore'),
  export: kind('user', 'export'),
  'flight.created': ownKind('flight', 'flightCreated'),
  'flight.changed': ownKind('flight', 'flightChanged'),
  'flight.deleted': ownKind('flight', 'flightDeleted'),
  'flight.restored': ownKind('flight', 'flightRestored'),
}

export type ActivityKind = keyof typeof activityKinds

export const kindNames = Object.keys(activityKinds) as ActivityKind[]
export const isActivityKind = (text: unknown): text is ActivityKind => kindNames.some((kind) => kind === text)

export const kindOf = (kind: ActivityKind): Kind => activityKinds[kind]

export interface ActivityFacts {
  /** The username; null for the operator and unknown visitors. */
  actor: string | null
  surface: Via['surface']
  name: string | null
  count: number | null
  flightId: number | null
}

/** Entries of earlier releases have no method. */
const signInKeys = {
  password: 'signInByPassword',
  provider: 'signInByProvider',
  passkey: 'signInByPasskey',
} as const satisfies Record<SignInMethod, string>

function messageKey(kind: ActivityKind, { name, count }: ActivityFacts) {
  if (kind === 'sign_in' && name !== null) return signInKeys[name as SignInMethod]
  if (kind === 'passkey.removed' && count !== null) return 'passkeysRemoved'
  return kind === 'export' && name === null ? 'exportAll' : kindOf(kind).key
}

/** In the language of the texts. */
export function describeActivity(texts: ActivityTexts, kind: ActivityKind, facts: ActivityFacts): string {
  const { actor, surface, name, count, flightId } = facts
  return texts[messageKey(kind, facts)]({
    actor: actor ?? (surface === 'cli' ? texts.operator : texts.someone),
    name: name ?? '',
    count: count ?? 0,
    // As text, so that it has no separators.
    flight: String(flightId ?? ''),
  })
}

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

/** An entry that a page describes in its language. */
export interface ShownEntry extends ActivityEntry {
  facts: ActivityFacts
}
