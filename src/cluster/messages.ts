import type { Uses } from '../services.ts'

/** What the supervisor tells a member. */
export type Order =
  | { say: 'begin'; name: string; process: 'writer' | 'reader'; socketPath: string }
  | { say: 'uses'; uses: Uses }
  | { say: 'announce' }
  | { say: 'stop' }

/** What a member tells the supervisor. */
export type Report = { say: 'ready'; address: string } | { say: 'uses'; uses: Uses }
