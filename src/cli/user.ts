import { operator } from '../access/caller.ts'
import { detailsOf } from '../contract/issues.ts'
import { Password, UserWrite } from '../domain/users/contract.ts'
import { AppError } from '../lib/errors.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Services } from '../services.ts'
import { accountNamed, type Command, FLAG, printJson, readPassword, required, TEXT, UsageError } from './command.ts'
import { withServices } from './with-services.ts'

export function parsed<Output>(
  result: { success: true; data: Output } | { success: false; error: Parameters<typeof detailsOf>[0] },
) {
  if (result.success) return result.data
  throw new AppError('validation_failed', 'The account is not valid.', { details: detailsOf(result.error) })
}

function roleNamed(services: Services, text: string) {
  const role = services.roles.findByIdOrName(text)
  if (!role) throw new Refusal(`There is no role with the id or name ${text}.`)
  return role
}

const passwordOption = { 'password-stdin': FLAG }

const create: Command = {
  name: 'user create',
  usage: '--username NAME [--display-name TEXT] [--role ROLE_ID_OR_NAME | --owner] --password-stdin',
  summary: 'Create an account',
  details:
    'Without --role the account gets the default role; --owner is possible once. The password is the first line of stdin; in a terminal it is asked for.',
  options: { username: TEXT, 'display-name': TEXT, role: TEXT, owner: FLAG, ...passwordOption },
  run: async (call) => {
    const username = required(call, 'username')
    const role = call.option('role')
    if (role !== undefined && call.flag('owner')) throw new UsageError('--role and --owner exclude each other.')
    const config = call.config()
    const password = await readPassword(call)
    await withServices(config, async (services) => {
      const roleId = role === undefined ? null : roleNamed(services, role).id
      const displayName = call.option('display-name')
      const body = parsed(
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
  summary: "Set a new password, also the owner's",
  details: 'Ends the sign-ins and connected applications of that user; API keys stay valid.',
  options: { username: TEXT, ...passwordOption },
  run: async (call) => {
    const username = required(call, 'username')
    const config = call.config()
    const password = parsed(Password.safeParse(await readPassword(call)))
    await withServices(config, async (services) => {
      accountNamed(services.users, username)
      printJson(await services.users.resetPassword(username, password))
    })
  },
}

const setRole: Command = {
  name: 'user set-role',
  usage: '--username NAME --role ROLE_ID_OR_NAME',
  summary: 'Give an account another role',
  options: { username: TEXT, role: TEXT },
  run: (call) => {
    const username = required(call, 'username')
    const wanted = required(call, 'role')
    return withServices(call.config(), async (services) => {
      const account = accountNamed(services.users, username)
      const { id: roleId } = roleNamed(services, wanted)
      await services.users.update(operator, account.id, { roleId })
      printJson({ id: account.id, username: account.username, roleId })
    })
  },
}

const unlink: Command = {
  name: 'user unlink',
  usage: '--username NAME',
  summary: 'End the link of an account to the identity provider',
  details:
    'Whoever used it can no longer sign in with it. Sessions, keys and connected applications stay; "user reset-password" ends the first and the last.',
  options: { username: TEXT },
  run: (call) => {
    const username = required(call, 'username')
    return withServices(call.config(), async (services) => {
      const account = accountNamed(services.users, username)
      const unlinked = (await services.identities.unlinkAll(account.id)) > 0
      printJson({ id: account.id, username: account.username, unlinked })
    })
  },
}

export const userCommands = [create, list, resetPassword, setRole, unlink]
