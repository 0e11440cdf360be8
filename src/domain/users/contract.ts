import { z } from 'zod'
import { text, trimmedText } from '../../contract/common.ts'

const MOST_PASSWORD_BYTES = 1024

const Username = z
  .string()
  .regex(/^[A-Za-z0-9._-]{3,20}$/, 'Must be 3 to 20 letters A–Z, digits, dots, underscores or hyphens.')

const DisplayName = trimmedText({ min: 3, max: 100 })

export const Password = text({ min: 8, max: MOST_PASSWORD_BYTES }).refine(
  (password) => Buffer.byteLength(password) <= MOST_PASSWORD_BYTES,
  'Must have at most 1024 bytes.',
)

export const User = z
  .object({
    id: z.string(),
    username: z.string(),
    displayName: z.string(),
    roleId: z.string().nullable(),
    roleName: z.string().nullable(),
    isOwner: z.boolean(),
    canManage: z.boolean(),
  })
  .meta({ id: 'User', description: 'The owner has no role; `canManage` says whether the caller may act on this user.' })
export type User = z.output<typeof User>

export const UserWrite = z
  .object({
    username: Username,
    password: Password,
    displayName: DisplayName.optional(),
    roleId: z.string().nullable().optional(),
  })
  .meta({ id: 'UserWrite', description: 'Without `roleId` the account gets the default role.' })
export type UserWrite = z.output<typeof UserWrite>

export const UserChange = UserWrite.partial().meta({
  id: 'UserChange',
  description: 'Absent members stay as they are.',
})
export type UserChange = z.output<typeof UserChange>
