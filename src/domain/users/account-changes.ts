import type { Caller } from '../../access/caller.ts'
import type { Actor } from '../activity/service.ts'
import type { UserChange } from './contract.ts'

/** `passwordHash` must still be the stored one. */
export type Removal = { id: string } & (
  | { method: 'administration'; caller: Caller }
  | { method: 'password'; by: Actor; passwordHash: string | undefined }
  | { method: 'provider'; by: Actor }
)

export interface Change {
  id: string
  caller: Caller
  body: Omit<UserChange, 'password'>
  passwordHash: string | undefined
}
