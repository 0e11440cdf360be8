import { presetScopes } from '../access/scopes.ts'
import { type Command, FLAG, printJson, requireAccount, required, TEXT, UsageError } from './command.ts'
import { withServices } from './with-services.ts'

const create: Command = {
  name: 'key create',
  usage: '--username NAME --name TEXT --scopes a,b|all|read [--airtrail]',
  summary: 'Create an API key for a user',
  details:
    'The key is shown only once. "read" grants all scopes that read data of the user, "all" grants all scopes, both within the role of the user. With --airtrail, legacy responses contain objects for airline and aircraft, as AirTrail clients expect.',
  options: { username: TEXT, name: TEXT, scopes: TEXT, airtrail: FLAG },
  run: (call) => {
    const username = required(call, 'username')
    const name = required(call, 'name')
    const requested = required(call, 'scopes')
    return withServices(call.config(), async (services) => {
      const account = requireAccount(services.users, username)
      const listed = requested.split(',').map((scope) => scope.trim())
      const isPreset = requested === 'all' || requested === 'read'
      const scopes = isPreset ? presetScopes(requested, account.permissions) : listed.filter(Boolean)
      printJson(await services.keys.create(account, { name, scopes, legacyObjects: call.flag('airtrail') }))
    })
  },
}

const list: Command = {
  name: 'key list',
  usage: '[--username NAME]',
  summary: 'List the API keys of one or all users',
  options: { username: TEXT },
  run: (call) =>
    withServices(call.config(), (services) => {
      const username = call.option('username')
      const { keys } = services
      const found = username === undefined ? keys.list() : keys.listOf(requireAccount(services.users, username).id)
      for (const { legacyObjects: _, ...key } of found) printJson(key)
    }),
}

const remove: Command = {
  name: 'key delete',
  usage: '--id N',
  summary: 'Delete an API key',
  options: { id: TEXT },
  run: (call) => {
    const text = required(call, 'id')
    if (!/^[1-9]\d{0,15}$/.test(text)) throw new UsageError('--id must be a positive whole number.')
    const id = Number(text)
    return withServices(call.config(), async ({ keys }) => {
      await keys.remove(id)
      printJson({ id, deleted: true })
    })
  },
}

export const keyCommands = [create, list, remove]
