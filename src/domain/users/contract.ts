import * as z from 'zod'
import { text, trimmedText } from '../../contract/common.ts'
import { codePoints } from '../../lib/text.ts'

const MOST_PASSWORD_BYTES = 1024

export const Username = text({ min: 3, max: 20 })
  .regex(/^[A-Za-z0-9._-]*$/, 'May hold only the letters A–Z and a–z, digits, dots, underscores and hyphens.')
  .meta({ description: 'Unique on the instance, ignoring case.', examples: ['mira'] })

export const DisplayName = trimmedText({ min: 3, max: 100 }).meta({ examples: ['Mira'] })

export const Password = text({ min: 8, max: MOST_PASSWORD_BYTES })
  .superRefine((password, context) => {
    // Past the limit in characters the fault is named already.
    const tooLong = Buffer.byteLength(password) > MOST_PASSWORD_BYTES && codePoints(password) <= MOST_PASSWORD_BYTES
    if (tooLong) {
      const limit = { code: 'too_big', maximum: MOST_PASSWORD_BYTES, origin: 'string', inclusive: true } as const
      context.addIssue({ ...limit, message: `Must have at most ${MOST_PASSWORD_BYTES} bytes.` })
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
      'The owner has no role. `canManage` says whether the caller may act on this user; it is false for oneself and for the owner.',
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
    displayName: DisplayName.optional().meta({ description: 'The user name when absent.' }),
    roleId: z.string().nullable().optional().meta({ description: 'The default role when absent or null.' }),
  })
  .meta({ id: 'UserWrite', examples: [{ username: 'mira', password: 'correct horse battery', displayName: 'Mira' }] })
export type UserWrite = z.output<typeof UserWrite>

export const UserChange = z
  .object({
    username: Username.optional(),
    password: Password.optional(),
    displayName: DisplayName.optional(),
    roleId: z.string().nullable().optional().meta({ description: 'Null counts as absent.' }),
  })
  .meta({ id: 'UserChange', description: 'Absent members stay as they are.', examples: [{ displayName: 'Mira M.' }] })
export type UserChange = z.output<typeof UserChange>
