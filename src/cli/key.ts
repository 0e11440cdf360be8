import { presetScopes } from '../access/scopes.ts'
import { accountNamed, type Command, FLAG, printJson, required, TEXT, UsageError } from './command.ts'
import { withServices } from './with-services.ts'

const create: Command = {
  name: 'key create',
  usage: '--username NAME --name TEXT --scopes a,b|all|read [--airtrail]',
  summary: 'Create an API key for a user',
  details:
    'The key is shown this once. "read" gives every scope that reads data of the user alone and "all" every scope, each as far as the role of the user goes. With --airtrail the legacy API answers this key with objects for airline and aircraft, as programs made for AirTrail read them.',
  options: { username: TEXT, name: TEXT, scopes: TEXT, airtrail: FLAG },
  run: (call) => {
    const username = required(call, 'username')
    const name = required(call, 'name')
    const wanted = required(call, 'scopes')
    return withServices(call.config(), async (services) => {
      const account = accountNamed(services.users, username)
      const scopes =
        wanted === 'all' || wanted === 'read'
          ? presetScopes(wanted, account.permissions)
          : wanted
              .split(',')
              .map((scope) => scope.trim())
              .filter(Boolean)
      printJson(await services.keys.create(account, { name, scopes, legacyObjects: call.flag('airtrail') }))
    })
  },
}

const list: Command = {
  name: 'key list',
  usage: '[--username NAME]',
  summary: 'List API keys, of all users or of one',
  options: { username: TEXT },
  run: (call) =>
    withServices(call.config(), (services) => {
      const username = call.option('username')
      const { keys } = services
      const found = username === undefined ? keys.list() : keys.listOf(accountNamed(services.users, username).id)
      for (const { legacyObjects: _, ...key } of found) printJson(key)
    }),
}

const remove: Command = {
  name: 'key delete',
  usage: '--id N',
  summary: 'Delete an API key; it is dead on the next request',
  options: { id: TEXT },
  run: (call) => {
    const text = required(call, 'id')
    if (!/^[1-9]\d{0,15}$/.test(text)) throw new UsageError('--id must be a whole number from 1.')
    const id = Number(text)
    return withServices(call.config(), async ({ keys }) => {
      await keys.remove(id)
      printJson({ id, deleted: true })
    })
  },
}

export const keyCommands = [create, list, remove]
