import type { Via } from '../../access/caller.ts'
import { formatNumber } from '../../lib/english.ts'

type SubjectKind = 'flight' | 'user' | 'role' | 'share' | 'key' | 'grant'

interface Facts {
  name: string | null
  count: number | null
}

interface Kind {
  /** For the choice of kinds on a page. */
  label: string
  subject: SubjectKind | null
  /** Whether those whom it concerns see it under their settings. */
  own: boolean
  /** What was done, as it follows the name of the actor. */
  says: (facts: Facts) => string
}

const flights = (count: number | null) => (count === 1 ? '1 flight' : `${formatNumber(count ?? 0)} flights`)

/** Everything that is recorded (contract 16.13), in the order in which pages offer it. */
const activityKinds = {
  sign_in: { label: 'Sign-in', subject: 'user', own: true, says: () => 'signed in' },
  'sign_in.failed': {
    label: 'Failed sign-in',
    subject: null,
    own: true,
    says: ({ name }) => `failed to sign in as “${name}”`,
  },
  sign_out: { label: 'Sign-out', subject: 'user', own: true, says: () => 'signed out' },
  'password.changed': {
    label: 'Password changed',
    subject: 'user',
    own: true,
    says: () => 'changed their own password',
  },
  'password.reset': {
    label: 'Password reset',
    subject: 'user',
    own: true,
    says: ({ name }) => `set a new password for ${name}`,
  },
  'identity.linked': {
    label: 'Provider linked',
    subject: 'user',
    own: true,
    says: ({ name }) => `linked the account ${name} to the identity provider`,
  },
  'identity.unlinked': {
    label: 'Provider unlinked',
    subject: 'user',
    own: true,
    says: ({ name }) => `unlinked the account ${name} from the identity provider`,
  },
  'key.created': {
    label: 'API key made',
    subject: 'key',
    own: true,
    says: ({ name }) => `made the API key “${name}”`,
  },
  'key.deleted': {
    label: 'API key deleted',
    subject: 'key',
    own: true,
    says: ({ name }) => `deleted the API key “${name}”`,
  },
  'grant.created': {
    label: 'Application connected',
    subject: 'grant',
    own: true,
    says: ({ name }) => `connected the application “${name}”`,
  },
  'grant.ended': {
    label: 'Application disconnected',
    subject: 'grant',
    own: true,
    says: ({ name }) => `disconnected the application “${name}”`,
  },
  'user.created': {
    label: 'Account made',
    subject: 'user',
    own: false,
    says: ({ name }) => `made the account ${name}`,
  },
  'user.changed': {
    label: 'Account changed',
    subject: 'user',
    own: false,
    says: ({ name }) => `changed the account ${name}`,
  },
  'user.deleted': {
    label: 'Account deleted',
    subject: 'user',
    own: false,
    says: ({ name, count }) => `deleted the account ${name} and ${flights(count)}`,
  },
  'role.created': { label: 'Role made', subject: 'role', own: false, says: ({ name }) => `made the role “${name}”` },
  'role.changed': {
    label: 'Role changed',
    subject: 'role',
    own: false,
    says: ({ name }) => `changed the role “${name}”`,
  },
  'role.deleted': {
    label: 'Role deleted',
    subject: 'role',
    own: false,
    says: ({ name }) => `deleted the role “${name}”`,
  },
  'share.created': {
    label: 'Share made',
    subject: 'share',
    own: false,
    says: ({ name }) => `made the share ${name}`,
  },
  'share.changed': {
    label: 'Share changed',
    subject: 'share',
    own: false,
    says: ({ name }) => `changed the share ${name}`,
  },
  'share.deleted': {
    label: 'Share deleted',
    subject: 'share',
    own: false,
    says: ({ name }) => `deleted the share ${name}`,
  },
  import: {
    label: 'Import',
    subject: 'user',
    own: true,
    says: ({ name, count }) => `imported ${flights(count)} into the log of ${name}`,
  },
  restore: {
    label: 'Restore',
    subject: null,
    own: false,
    says: ({ count }) => `restored ${flights(count)} from a backup`,
  },
  export: {
    label: 'Export of other people’s flights',
    subject: 'user',
    own: false,
    says: ({ name }) => `exported the flights of ${name ?? 'everybody'}`,
  },
  'flight.created': { label: 'Flight added', subject: 'flight', own: true, says: () => 'added the flight' },
  'flight.changed': { label: 'Flight changed', subject: 'flight', own: true, says: () => 'changed the flight' },
  'flight.deleted': { label: 'Flight deleted', subject: 'flight', own: true, says: () => 'deleted the flight' },
} as const satisfies Record<string, Kind>

export type ActivityKind = keyof typeof activityKinds

export const kindNames = Object.keys(activityKinds) as ActivityKind[]
export const isActivityKind = (text: unknown): text is ActivityKind => kindNames.some((kind) => kind === text)

export const kindOf = (kind: ActivityKind): Kind => activityKinds[kind]

/** What happened, told by the service that did it. */
export interface NewEntry {
  kind: ActivityKind
  /** The id of what it is about. */
  subject?: number | string
  name?: string
  count?: number
  /** The users whom it concerns; the actor may be among them. */
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
