/** What is measured: one entry a work, chosen by its name on the command line. */
export interface Work {
  name: string
  path: string
  /** The credential to send: the key of the owner, none, or one that no user has. */
  credential: 'good' | 'none' | 'unknown'
  expect: number
  /** The bare route serializes the same record instead of sending ready bytes: what a server without a database would do. */
  serializes?: true
}

/** Of the right form, with a checksum that fits, and in no database. */
export const UNKNOWN_KEY = 'pxl_00000000000000000000000000000000000003jnQlY'

export const works: Work[] = [
  { name: 'me', path: '/api/v1/me', credential: 'good', expect: 200 },
  { name: 'me-without-credential', path: '/api/v1/me', credential: 'none', expect: 401 },
  { name: 'flight', path: '/api/v1/flights/5000', credential: 'good', expect: 200, serializes: true },
  { name: 'flights', path: '/api/v1/flights?limit=50', credential: 'good', expect: 200, serializes: true },
  {
    name: 'flights-last',
    path: '/api/v1/flights?limit=50&cursor=LAST',
    credential: 'good',
    expect: 200,
    serializes: true,
  },
  {
    name: 'flights-all',
    path: '/api/v1/flights?limit=50&scope=all',
    credential: 'good',
    expect: 200,
    serializes: true,
  },
  { name: 'stats', path: '/api/v1/stats', credential: 'good', expect: 200, serializes: true },
  { name: 'search', path: '/api/v1/airports?query=zuri', credential: 'good', expect: 200, serializes: true },
  { name: 'me-unknown-key', path: '/api/v1/me', credential: 'unknown', expect: 401 },
]
