import type { Caller } from '../../access/caller.ts'
import type { Actor } from '../activity/service.ts'
import type { UserChange } from './contract.ts'

/** An account that goes: by whom, and what must still be so when it does. */
export type Removal = { id: string } & (
  | { way: 'administration'; caller: Caller }
  | { way: 'password'; by: Actor; passwordHash: string | undefined }
  | { way: 'provider'; by: Actor }
)

export interface Change {
  id: string
  caller: Caller
  body: Omit<UserChange, 'password'>
  passwordHash: string | undefined
}
