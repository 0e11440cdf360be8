import * as z from 'zod'
import { text, trimmedText } from '../../contract/common.ts'
import { isWithinLength } from '../../lib/text.ts'
import { english } from '../../messages/english.ts'

const MAX_PASSWORD_BYTES = 1024

export const Username = text({ min: 3, max: 20 })
  .regex(/^[A-Za-z0-9._-]*$/, english.users.usernameCharacters)
  .meta({ description: 'Unique on the instance, ignoring case.', examples: ['mira'] })

export const DisplayName = trimmedText({ min: 3, max: 100 }).meta({ examples: ['Mira'] })

export const Password = text({ min: 8, max: MAX_PASSWORD_BYTES })
  .superRefine((password, context) => {
    // Otherwise reported as too many characters.
    const tooLong = isWithinLength(password, MAX_PASSWORD_BYTES) && Buffer.byteLength(password) > MAX_PASSWORD_BYTES
    if (tooLong) {
      const limit = { code: 'too_big', maximum: MAX_PASSWORD_BYTES, origin: 'string', inclusive: true } as const
      context.addIssue({ ...limit, message: english.users.passwordBytes({ max: MAX_PASSWORD_BYTES }) })
    }
  })
  .meta({ format: 'password', description: 'At most 1024 bytes in UTF-8.' })

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
  .meta({
    id: 'User',
    description:
      'The owner has no role. `canManage` is true if the caller may change or delete this user; it is false for the caller and for the owner.',
    examples: [
      {
        id: 'k3v9x0q2m7b1c5d',
        username: 'mira',
        displayName: 'Mira',
        roleId: 'role-user',
        roleName: 'User',
        isOwner: false,
        canManage: true,
      },
    ],
  })
export type User = z.output<typeof User>

export const UserWrite = z
  .object({
    username: Username,
    password: Password,
    displayName: DisplayName.optional().meta({ description: 'Defaults to the username.' }),
    roleId: z.string().nullable().optional().meta({ description: 'The default role if absent or null.' }),
  })
  .meta({ id: 'UserWrite', examples: [{ username: 'mira', password: 'correct horse battery', displayName: 'Mira' }] })
export type UserWrite = z.output<typeof UserWrite>

export const UserChange = z
  .object({
    username: Username.optional(),
    password: Password.optional(),
    displayName: DisplayName.optional(),
    roleId: z.string().nullable().optional().meta({ description: 'Null is treated as absent.' }),
  })
  .meta({ id: 'UserChange', description: 'Absent members stay as they are.', examples: [{ displayName: 'Mira M.' }] })
export type UserChange = z.output<typeof UserChange>
