import type { ZodSafeParseResult } from 'zod'
import { operator } from '../access/caller.ts'
import type { Services } from '../app/services.ts'
import { toErrorDetails } from '../contract/issues.ts'
import { Password, UserWrite } from '../domain/users/contract.ts'
import { AppError } from '../lib/errors.ts'
import { StartupError } from '../lib/startup-error.ts'
import { type Command, FLAG, printJson, readPassword, requireAccount, required, TEXT, UsageError } from './command.ts'
import { withServices } from './with-services.ts'

export function parseOrThrow<Output>({ data, error }: ZodSafeParseResult<Output>): Output {
  if (!error) return data
  throw new AppError('validation_failed', 'The account is not valid.', { details: toErrorDetails(error) })
}

function requireRole(services: Services, text: string) {
  const role = services.roles.findByIdOrName(text)
  if (!role) throw new StartupError(`Role ${text} not found. Use the id or name of a role.`)
  return role
}

const passwordOption = { 'password-stdin': FLAG }

const create: Command = {
  name: 'user create',
  usage: '--username NAME [--display-name TEXT] [--role ROLE_ID_OR_NAME | --owner] --password-stdin',
  summary: 'Create an account',
  details:
    'Without --role, the account gets the default role. There can be only one --owner. The password is read from the first line of stdin, or asked for in a terminal.',
  options: { username: TEXT, 'display-name': TEXT, role: TEXT, owner: FLAG, ...passwordOption },
  run: async (call) => {
    const username = required(call, 'username')
    const role = call.option('role')
    if (role !== undefined && call.flag('owner')) throw new UsageError('Give either --role or --owner.')
    const config = call.config()
    const password = await readPassword(call)
    await withServices(config, async (services) => {
      const roleId = role === undefined ? null : requireRole(services, role).id
      const displayName = call.option('display-name')
      const body = parseOrThrow(
        UserWrite.safeParse({ username, password, roleId, ...(displayName !== undefined && { displayName }) }),
      )
      const { id } = call.flag('owner')
        ? await services.users.createOwner(body)
        : await services.users.create(operator, body)
      printJson({ id, username })
    })
  },
}

const list: Command = {
  name: 'user list',
  usage: '',
  summary: 'List the accounts',
  run: (call) =>
    withServices(call.config(), ({ users }) => {
      for (const { canManage: _, ...user } of users.list(operator)) printJson(user)
    }),
}

const resetPassword: Command = {
  name: 'user reset-password',
  usage: '--username NAME --password-stdin',
  summary: 'Set a new password for a user or the owner',
  details: 'Signs the user out, disconnects their applications and removes their passkeys. API keys stay valid.',
  options: { username: TEXT, ...passwordOption },
  run: async (call) => {
    const username = required(call, 'username')
    const config = call.config()
    const password = parseOrThrow(Password.safeParse(await readPassword(call)))
    await withServices(config, async (services) => {
      requireAccount(services.users, username)
      printJson(await services.users.resetPassword(username, password))
    })
  },
}

const setRole: Command = {
  name: 'user set-role',
  usage: '--username NAME --role ROLE_ID_OR_NAME',
  summary: 'Change the role of an account',
  options: { username: TEXT, role: TEXT },
  run: (call) => {
    const username = required(call, 'username')
    const requested = required(call, 'role')
    return withServices(call.config(), async (services) => {
      const account = requireAccount(services.users, username)
      const { id: roleId } = requireRole(services, requested)
      await services.users.update(operator, account.id, { roleId })
      printJson({ id: account.id, username: account.username, roleId })
    })
  },
}

const unlink: Command = {
  name: 'user unlink',
  usage: '--username NAME',
  summary: 'Unlink an account from the identity provider',
  details:
    'The user can no longer sign in with the provider. Sessions, API keys and connected applications stay valid; "user reset-password" ends sessions and applications.',
  options: { username: TEXT },
  run: (call) => {
    const username = required(call, 'username')
    return withServices(call.config(), async (services) => {
      const account = requireAccount(services.users, username)
      const unlinked = (await services.identities.unlinkAll(account.id)) > 0
      printJson({ id: account.id, username: account.username, unlinked })
    })
  },
}

export const userCommands = [create, list, resetPassword, setRole, unlink]
