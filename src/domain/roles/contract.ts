import { z } from 'zod'
import { permissions } from '../../access/permissions.ts'
import { Instant, trimmedText } from '../../contract/common.ts'

const PermissionName = z.enum(permissions).meta({ id: 'Permission' })

const described = {
  name: trimmedText({ min: 1, max: 50 }),
  description: trimmedText({ max: 200 }).nullable().default(null),
  permissions: z.array(PermissionName),
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
    isDefault: z.boolean(),
  })
  .meta({ id: 'Role' })
export type Role = z.output<typeof Role>

export const RoleWrite = z.object(described).meta({ id: 'RoleWrite' })
export type RoleWrite = z.output<typeof RoleWrite>

export const RoleReplace = z
  .object({ ...described, isDefault: z.boolean().optional() })
  .meta({ id: 'RoleReplace', description: '`isDefault: true` makes the role the default; false changes nothing.' })
export type RoleReplace = z.output<typeof RoleReplace>

export const UpdatedRole = Role.extend({ updated: z.literal(true) }).meta({ id: 'UpdatedRole' })
