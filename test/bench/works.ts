/** What is measured: one entry a work, chosen by its name on the command line. */
export interface Work {
  name: string
  path: string
  /** The credential to send: the key of the owner, none, or one that no user has. */
  credential: 'good' | 'none' | 'unknown'
  expect: number
}

/** Of the right form, with a checksum that fits, and in no database. */
export const UNKNOWN_KEY = 'pxl_00000000000000000000000000000000000003jnQlY'

export const works: Work[] = [
  { name: 'me', path: '/api/v1/me', credential: 'good', expect: 200 },
  { name: 'me-without-credential', path: '/api/v1/me', credential: 'none', expect: 401 },
  { name: 'me-unknown-key', path: '/api/v1/me', credential: 'unknown', expect: 401 },
]
