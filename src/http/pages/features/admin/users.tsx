import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../../access/caller.ts'
import { type User, UserChange, UserWrite } from '../../../../domain/users/contract.ts'
import { forbidden } from '../../../../lib/errors.ts'
import { fold, isWithinLength } from '../../../../lib/text.ts'
import { passwordSpecs } from '../../components/password-form.ts'
import type { PageContext } from '../../framework/context.ts'
import { crudPages, type FormState } from '../../framework/crud.ts'
import { readForm, requireAny, submit } from '../../framework/forms.ts'
import type { IdRequest, Visit } from '../../framework/signed-in.ts'
import { type AccountEntries, accountSpecs, newUserSpecs, UserPage } from './user-page.tsx'
import { UsersPage } from './users-page.tsx'

const PATH = '/admin/users'
const MAX_SHOWN = 100
/** Characters; names are shorter. */
const MAX_QUERY_LENGTH = 200

const pageOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`

const NewPassword = UserChange.pick({ password: true }).required()

/** The actions to offer on an account (contract 2.5 and 2.6); the service authorizes each one. */
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

/** Leaves out empty fields, except for the required user name. */
const bodyOf = ({ username, ...entries }: AccountEntries) => ({
  ...Object.fromEntries(Object.entries(entries).filter(([, text]) => text.trim() !== '')),
  username: username.trim(),
})

export async function userPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { users, roles } = context

  function found(caller: Caller, query: string) {
    if (!caller.permissions.has('users.directory.read')) return undefined
    const wanted = isWithinLength(query, MAX_QUERY_LENGTH) ? fold(query) : undefined
    const all = users.list(caller)
    const matching = all.filter(
      ({ username, displayName, roleName }) =>
        wanted !== undefined && fold(`${username} ${displayName} ${roleName ?? ''}`).includes(wanted),
    )
    return { all: all.length, fitting: matching.length, users: matching.slice(0, MAX_SHOWN) }
  }

  /** The role of the account, and those that the viewer may assign. */
  function rolesFor(caller: Caller, { roleId, roleName }: User) {
    const own = roleId === null ? [] : [{ id: roleId, name: roleName ?? roleId }]
    return [...own, ...roles.assignable(caller, 'existing').filter(({ id }) => id !== roleId)]
  }

  interface State extends FormState<AccountEntries> {
    part?: 'password'
  }

  function edit({ caller, frame }: Visit, id: string, { entries, faults, part }: State) {
    const account = users.get(caller, id)
    return (
      <UserPage
        {...frame}
        account={account}
        powers={powersOver(caller, account)}
        roles={rolesFor(caller, account)}
        entries={entries}
        part={part ?? (entries ? 'account' : 'delete')}
        faults={faults}
      />
    )
  }

  const pages = crudPages<AccountEntries, string>(app, context, {
    path: PATH,
    list({ caller, request, frame }, state) {
      requireAny(caller, 'users.directory.read', 'users.create')
      const { q } = request.query as { q?: unknown }
      const query = typeof q === 'string' ? q.trim() : ''
      return (
        <UsersPage
          {...frame}
          {...state}
          query={query}
          found={found(caller, query)}
          userId={caller.userId}
          givable={caller.permissions.has('users.create') ? roles.assignable(caller, 'new') : undefined}
        />
      )
    },
    create({ caller, form, back }, again) {
      requireAny(caller, 'users.create')
      const { password, ...entries } = readForm(newUserSpecs, form)
      return submit({
        schema: UserWrite,
        body: { ...bodyOf(entries), password },
        unique: 'username',
        work: (body) => users.create(caller, body),
        again: again(entries),
        done: ({ username }) => back(PATH, `${username} can sign in now. Tell them the password on a safe way.`),
      })
    },
    find: ({ request }) => request.params.id,
    edit,
    update({ caller, form, back }, id, again) {
      const entries = readForm(accountSpecs, form)
      return submit({
        schema: UserChange,
        body: bodyOf(entries),
        unique: 'username',
        work: (body) => users.update(caller, id, body),
        again: again(entries),
        done: ({ username }) => back(pageOf(id), `The account of ${username} was changed.`),
      })
    },
    async remove({ caller }, id) {
      // The security settings ask for the password.
      if (id === caller.userId) throw forbidden('Your own account is deleted in the security settings.')
      await users.remove(caller, id)
    },
    removed: () => 'The account was deleted, with everything that belonged to it alone.',
  })

  pages.post<IdRequest>(`${PATH}/:id/password`, (visit) => {
    const { caller, form, request, back } = visit
    const { id } = request.params
    return submit({
      schema: NewPassword,
      body: readForm(passwordSpecs, form),
      unique: 'password',
      work: (body) => users.update(caller, id, body),
      again: ({ status, faults }) => visit.send(edit(visit, id, { faults, part: 'password' }), status),
      done: ({ username }) => back(pageOf(id), `${username} has a new password and is signed out everywhere.`),
    })
  })
}
