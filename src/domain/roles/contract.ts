import * as z from 'zod'
import { exampleOf, Instant, list, PermissionName, text, trimmedText } from '../../contract/common.ts'

const described = {
  name: trimmedText({ min: 1, max: 50 }).meta({ description: 'Unique on the instance, ignoring case.' }),
  description: trimmedText({ max: 200 }).nullable().default(null),
  permissions: list(PermissionName, { max: 1000 }).meta({ description: 'May be empty; repetitions collapse.' }),
}

/** What the role claim of the identity provider must hold for somebody to get the role. */
export const MappingValue = text({ min: 1, max: 200 })
const OauthMappings = list(MappingValue, { max: 50 })

const upToPermissions = {
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  createdAt: Instant,
  updatedAt: Instant,
  permissions: z.array(PermissionName),
}
const afterPermissions = {
  userCount: z.int().min(0),
  oauthMappingCount: z
    .int()
    .min(0)
    .meta({ description: 'How many claim values of an identity provider give this role.' }),
  isDefault: z.boolean().meta({ description: 'Given to new accounts that name no role; one role is.' }),
}
const mappings = {
  oauthMappings: z.array(z.string()).meta({
    description:
      'Claim values of the identity provider that give this role at sign-in, in the order of their characters.',
  }),
}

export const Role = z.object({ ...upToPermissions, ...afterPermissions }).meta({
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

/** The record of one role; the list leaves the mappings out. */
export const RoleWithMappings = z.object({ ...upToPermissions, ...mappings, ...afterPermissions }).meta({
  id: 'RoleWithMappings',
  examples: [{ ...(exampleOf(Role) as Role), oauthMappings: ['/travellers'], oauthMappingCount: 1 }],
})
export type RoleWithMappings = z.output<typeof RoleWithMappings>

export const RoleWrite = z
  .object(described)
  .meta({ id: 'RoleWrite', examples: [{ name: 'Viewer', permissions: ['flight.read.own'] }] })
export type RoleWrite = z.output<typeof RoleWrite>

export const RoleReplace = z
  .object({
    ...described,
    oauthMappings: OauthMappings.optional().meta({
      description: 'Claim values of the identity provider; each belongs to one role. Absent: unchanged.',
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
