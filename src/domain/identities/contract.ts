/** How the identity provider is reached and what its word counts for (contract 16.9). */
export interface ProviderSettings {
  issuer: string
  clientId: string
  /** Undefined for a public client. */
  clientSecret: string | undefined
  /** What people call it: "Sign in with …". */
  name: string
  scopes: string
  signUp: boolean
  linkByUsername: boolean
  roleClaim: string | undefined
}

/** Somebody whom the provider vouches for. The subject is who they are; claims are what else it says about them. */
export interface Person {
  subject: string
  claims: Readonly<Record<string, unknown>>
}

export type FaultKind =
  /** Begun elsewhere, too long ago, or used already. */
  | 'stale'
  /** Broken off at the provider. */
  | 'cancelled'
  /** The provider does not answer. */
  | 'unreachable'
  /** A setting is wrong, here or at the provider. */
  | 'settings'
  /** The answer is not what the provider could have sent to this browser at this moment. */
  | 'untrusted'
  /** The provider is sure who it is, but there is no account, or it is not the one that was meant. */
  | 'unknown'
  | 'taken'

/** Why a sign-in at the provider failed: a sentence for whoever tries, and a cause for the log that holds no secret. */
export class IdentityFault extends Error {
  readonly kind: FaultKind
  readonly detail: Readonly<Record<string, string>>

  constructor(kind: FaultKind, sentence: string, detail: Record<string, string> = {}) {
    super(sentence)
    this.name = 'IdentityFault'
    this.kind = kind
    this.detail = detail
  }
}
