/** Contract 16.9. */
export interface ProviderSettings {
  issuer: string
  clientId: string
  clientSecret: string | undefined
  name: string
  scopes: string
  signUp: boolean
  linkByUsername: boolean
  roleClaim: string | undefined
}

/** A user authenticated by the provider. Only the subject identifies them. */
export interface Person {
  subject: string
  claims: Readonly<Record<string, unknown>>
}

export type IdentityErrorKind = 'stale' | 'cancelled' | 'unreachable' | 'settings' | 'untrusted' | 'unknown' | 'taken'

/** The message is for the user, the detail for the log; neither contains secrets. */
export class IdentityError extends Error {
  readonly kind: IdentityErrorKind
  readonly detail: Readonly<Record<string, string>>

  constructor(kind: IdentityErrorKind, message: string, detail: Record<string, string> = {}) {
    super(message)
    this.name = 'IdentityError'
    this.kind = kind
    this.detail = detail
  }
}
