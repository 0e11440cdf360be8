import { z } from 'zod'
import { permissions } from '../../access/permissions.ts'
import { scopeNames } from '../../access/scopes.ts'
import { Preferences } from '../preferences/contract.ts'

export const Me = z
  .object({
    id: z.string(),
    username: z.string(),
    displayName: z.string(),
    role: z.object({ id: z.string(), name: z.string() }).nullable(),
    isOwner: z.boolean(),
    permissions: z.array(z.enum(permissions)),
    credential: z.object({ kind: z.enum(['apiKey', 'oauth']), scopes: z.array(z.enum(scopeNames)) }),
    preferences: Preferences.optional(),
  })
  .meta({ id: 'Me', description: 'The owner has no role. `preferences` are present with the scope profile.read.' })
export type Me = z.output<typeof Me>
