import * as z from 'zod'
import { exampleOf, Instant, list, PermissionName, trimmedText } from '../../contract/common.ts'

const described = {
  name: trimmedText({ min: 1, max: 50 }).meta({ description: 'Unique on the instance, ignoring case.' }),
  description: trimmedText({ max: 200 }).nullable().default(null),
  permissions: list(PermissionName, { max: 1000 }).meta({ description: 'May be empty; repetitions collapse.' }),
}

export const Role = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    createdAt: Instant,
    updatedAt: Instant,
    permissions: z.array(PermissionName),
    userCount: z.int().min(0),
    oauthMappingCount: z.literal(0),
    isDefault: z.boolean().meta({ description: 'Given to new accounts that name no role; one role is.' }),
  })
  .meta({
    id: 'Role',
    description: 'Permissions are in catalogue order and not expanded.',
    examples: [
      {
        id: 'p0a8s7d6f5g4h3j',
        name: 'Viewer',
        description: null,
        createdAt: '2025-01-02T10:00:00.000Z',
        updatedAt: '2025-01-02T10:00:00.000Z',
        permissions: ['flight.read.own'],
        userCount: 0,
        oauthMappingCount: 0,
        isDefault: false,
      },
    ],
  })
export type Role = z.output<typeof Role>

export const RoleWrite = z
  .object(described)
  .meta({ id: 'RoleWrite', examples: [{ name: 'Viewer', permissions: ['flight.read.own'] }] })
export type RoleWrite = z.output<typeof RoleWrite>

export const RoleReplace = z.object({ ...described, isDefault: z.boolean().optional() }).meta({
  id: 'RoleReplace',
  description: '`isDefault: true` makes the role the default; false changes nothing.',
  examples: [{ name: 'Viewer', description: 'Reads and writes nothing', permissions: ['flight.read.own'] }],
})
export type RoleReplace = z.output<typeof RoleReplace>

export const UpdatedRole = Role.extend({ updated: z.literal(true) }).meta({
  id: 'UpdatedRole',
  examples: [{ ...(exampleOf(Role) as Role), updated: true }],
})
