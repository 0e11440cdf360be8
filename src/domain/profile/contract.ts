import * as z from 'zod'
import { PermissionName, ScopeName } from '../../contract/common.ts'
import { Preferences } from '../preferences/contract.ts'

export const Me = z
  .object({
    id: z.string(),
    username: z.string(),
    displayName: z.string(),
    role: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'Null for the owner, who has no role and every permission.' }),
    isOwner: z.boolean(),
    permissions: z.array(PermissionName).meta({ description: 'Includes implied permissions.' }),
    credential: z.object({
      kind: z.enum(['apiKey', 'oauth']),
      scopes: z.array(ScopeName).meta({ description: 'As granted, not reduced by the role.' }),
    }),
    preferences: Preferences.optional(),
  })
  .meta({
    id: 'Me',
    description: '`preferences` are present when the credential has the scope `profile.read`.',
    examples: [
      {
        id: 'k3v9x0q2m7b1c5d',
        username: 'mira',
        displayName: 'Mira',
        role: { id: 'role-user', name: 'User' },
        isOwner: false,
        permissions: ['flight.read.own', 'flight.create.own'],
        credential: { kind: 'apiKey', scopes: ['flight.read.own'] },
      },
    ],
  })
export type Me = z.output<typeof Me>
