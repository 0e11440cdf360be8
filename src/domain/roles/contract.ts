import * as z from 'zod'
import { exampleOf, Instant, list, PermissionName, text, trimmedText } from '../../contract/common.ts'

const writable = {
  name: trimmedText({ min: 1, max: 50 }).meta({ description: 'Unique on the instance, ignoring case.' }),
  description: trimmedText({ max: 200 }).nullable().default(null),
  permissions: list(PermissionName, { max: 1000 }).meta({ description: 'May be empty; duplicates are ignored.' }),
}

export const MappingValue = text({ min: 1, max: 200 })
const OauthMappings = list(MappingValue, { max: 50 })

const leadingMembers = {
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  createdAt: Instant,
  updatedAt: Instant,
  permissions: z.array(PermissionName),
}
const trailingMembers = {
  userCount: z.int().min(0),
  oauthMappingCount: z.int().min(0).meta({ description: 'The number of claim values that map to this role.' }),
  isDefault: z.boolean().meta({ description: 'Assigned to new accounts by default; exactly one role is the default.' }),
}
const mappings = {
  oauthMappings: z.array(z.string()).meta({
    description: 'Claim values of the identity provider that map to this role at sign-in, sorted.',
  }),
}

export const Role = z.object({ ...leadingMembers, ...trailingMembers }).meta({
  id: 'Role',
  description: 'Permissions are in catalogue order, without implied ones.',
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

export const RoleWithMappings = z.object({ ...leadingMembers, ...mappings, ...trailingMembers }).meta({
  id: 'RoleWithMappings',
  examples: [{ ...(exampleOf(Role) as Role), oauthMappings: ['/travellers'], oauthMappingCount: 1 }],
})
export type RoleWithMappings = z.output<typeof RoleWithMappings>

export const RoleWrite = z
  .object(writable)
  .meta({ id: 'RoleWrite', examples: [{ name: 'Viewer', permissions: ['flight.read.own'] }] })
export type RoleWrite = z.output<typeof RoleWrite>

export const RoleReplace = z
  .object({
    ...writable,
    oauthMappings: OauthMappings.optional().meta({
      description: 'Claim values of the identity provider; each maps to one role. Unchanged if absent.',
    }),
    isDefault: z.boolean().optional(),
  })
  .meta({
    id: 'RoleReplace',
    description: '`isDefault: true` makes the role the default; false changes nothing.',
    examples: [{ name: 'Viewer', description: 'Reads and writes nothing', permissions: ['flight.read.own'] }],
  })
export type RoleReplace = z.output<typeof RoleReplace>

export const UpdatedRole = RoleWithMappings.extend({ updated: z.literal(true) }).meta({
  id: 'UpdatedRole',
  examples: [{ ...(exampleOf(RoleWithMappings) as RoleWithMappings), updated: true }],
})
