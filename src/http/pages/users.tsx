import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { type User, UserChange, UserWrite } from '../../domain/users/contract.ts'
import { forbidden } from '../../lib/errors.ts'
import { fold, isWithinLength } from '../../lib/text.ts'
import type { PageContext } from './context.ts'
import { formOf } from './form.ts'
import { attempt, type Refused, readForm, requireAny, submit } from './forms.ts'
import { requireCaller } from './session.ts'
import { type IdRequest, pageBelow, signedInPages } from './signed-in.ts'
import { sendPage } from './views/layout.tsx'
import { type AccountEntries, accountSpecs, newUserSpecs, passwordSpecs, UserPage } from './views/user.tsx'
import { UsersPage } from './views/users.tsx'

const PATH = '/admin/users'
const MOST_SHOWN = 100
/** Characters of a search: name, display name and role together have fewer. */
const MOST_SOUGHT = 200

const NewPassword = UserChange.pick({ password: true }).required()

type ListRequest = { Querystring: { q?: unknown } }

/** What the viewer may do with an account (contract 2.5 and 2.6); the service decides again. */
function powersOver({ permissions, userId }: Caller, account: User) {
  const self = account.id === userId
  const manages = account.canManage && permissions.has('users.update')
  return {
    self,
    names: manages || (self && permissions.has('users.update')),
    role: manages && permissions.has('users.roles.assign'),
    password: manages,
    remove: account.canManage && permissions.has('users.delete'),
  }
}

/** An empty field is one that was left out, except for the name, which nobody is without. */
const bodyOf = ({ username, ...entries }: AccountEntries) => ({
  ...Object.fromEntries(Object.entries(entries).filter(([, text]) => text.trim() !== '')),
  username: username.trim(),
})

/** Accounts, for those whose role lets them see or make them. */
export async function userPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { users, roles } = context
  const { frame, requireForm, back } = signedInPages(context)

  function found(caller: Caller, query: string) {
    if (!caller.permissions.has('users.directory.read')) return undefined
    // Nobody is called anything as long as that.
    const wanted = isWithinLength(query, MOST_SOUGHT) ? fold(query) : undefined
    const all = users.list(caller)
    const fitting = all.filter(
      ({ username, displayName, roleName }) =>
        wanted !== undefined && fold(`${username} ${displayName} ${roleName ?? ''}`).includes(wanted),
    )
    return { all: all.length, fitting: fitting.length, users: fitting.slice(0, MOST_SHOWN) }
  }

  interface Shown {
    query?: string
    entries?: AccountEntries
    refused?: Refused
  }

  function showList(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    { query = '', entries, refused }: Shown,
  ) {
    return sendPage(
      reply,
      refused?.status ?? 200,
      <UsersPage
        {...frame(request, caller)}
        query={query}
        found={found(caller, query)}
        userId={caller.userId}
        givable={caller.permissions.has('users.create') ? roles.assignable(caller, 'new') : undefined}
        entries={entries}
        faults={refused?.faults ?? {}}
      />,
    )
  }

  app.get<ListRequest>(PATH, async (request, reply) => {
    const caller = requireAny(requireCaller(request), 'users.directory.read', 'users.create')
    const { q } = request.query
    return showList(request, reply, caller, { query: typeof q === 'string' ? q.trim() : '' })
  })

  app.post(PATH, async (request, reply) => {
    const caller = requireAny(requireForm(request, PATH), 'users.create')
    const { password, ...entries } = readForm(newUserSpecs, formOf(request))
    return submit({
      schema: UserWrite,
      body: { ...bodyOf(entries), password },
      unique: 'username',
      work: (body) => users.create(caller, body),
      again: (refused) => showList(request, reply, caller, { entries, refused }),
      done: ({ username }) =>
        back(request, reply, PATH, `${username} can sign in now. Tell them the password on a safe way.`),
    })
  })

  function showOne(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    id: string,
    shown: { entries?: AccountEntries; refused?: Refused; part?: 'account' | 'password' | 'delete' } = {},
  ) {
    const account = users.get(caller, id)
    return sendPage(
      reply,
      shown.refused?.status ?? 200,
      <UserPage
        {...frame(request, caller)}
        account={account}
        powers={powersOver(caller, account)}
        roles={rolesFor(caller, account)}
        entries={shown.entries}
        part={shown.part}
        faults={shown.refused?.faults ?? {}}
      />,
    )
  }

  /** The role that the account has, and those that the viewer may give instead. */
  function rolesFor(caller: Caller, { roleId, roleName }: User) {
    const own = roleId === null ? [] : [{ id: roleId, name: roleName ?? roleId }]
    return [...own, ...roles.assignable(caller, 'existing').filter(({ id }) => id !== roleId)]
  }

  app.get<IdRequest>(`${PATH}/:id`, async (request, reply) =>
    showOne(request, reply, requireCaller(request), request.params.id),
  )

  app.post<IdRequest>(`${PATH}/:id`, async (request, reply) => {
    const caller = requireForm(request, pageBelow(PATH, request))
    const { id } = request.params
    const entries = readForm(accountSpecs, formOf(request))
    return submit({
      schema: UserChange,
      body: bodyOf(entries),
      unique: 'username',
      work: (body) => users.update(caller, id, body),
      again: (refused) => showOne(request, reply, caller, id, { entries, refused, part: 'account' }),
      done: ({ username }) => back(request, reply, pageBelow(PATH, request), `The account of ${username} was changed.`),
    })
  })

  app.post<IdRequest>(`${PATH}/:id/password`, async (request, reply) => {
    const caller = requireForm(request, pageBelow(PATH, request))
    const { id } = request.params
    return submit({
      schema: NewPassword,
      body: readForm(passwordSpecs, formOf(request)),
      unique: 'password',
      work: (body) => users.update(caller, id, body),
      again: (refused) => showOne(request, reply, caller, id, { refused, part: 'password' }),
      done: ({ username }) =>
        back(request, reply, pageBelow(PATH, request), `${username} has a new password and is signed out everywhere.`),
    })
  })

  app.post<IdRequest>(`${PATH}/:id/delete`, async (request, reply) => {
    const caller = requireForm(request, pageBelow(PATH, request))
    const { id } = request.params
    return attempt({
      work: () => {
        // There it takes the password, which an open browser does not know.
        if (id === caller.userId) throw forbidden('Your own account is deleted in the security settings.')
        return users.remove(caller, id)
      },
      again: (refused) => showOne(request, reply, caller, id, { refused, part: 'delete' }),
      done: () => back(request, reply, PATH, 'The account was deleted, with everything that belonged to it alone.'),
    })
  })
}
