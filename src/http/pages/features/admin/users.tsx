import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../../access/caller.ts'
import { type User, UserChange, UserWrite } from '../../../../domain/users/contract.ts'
import { forbidden } from '../../../../lib/errors.ts'
import { fold, isWithinLength } from '../../../../lib/text.ts'
import { FaultSummary, Field } from '../../components/fields.tsx'
import { formFields, PostForm, SearchForm } from '../../components/forms.tsx'
import { ListTable } from '../../components/lists.tsx'
import { passwordSpecs } from '../../components/password-form.ts'
import type { Frame, PageContext } from '../../framework/context.ts'
import { crudPages, type FormState } from '../../framework/crud.ts'
import { emptyForm, formSpecs, readForm, requireAny, submit } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import type { IdRequest, Visit } from '../../framework/signed-in.ts'
import {
  type AccountEntries,
  accountSpecs,
  pageOf,
  type RoleNames,
  roleOptions,
  USERS_PATH,
  UserPage,
} from './user-page.tsx'

const MAX_SHOWN = 100
/** Shorter lists have no search field. */
const MIN_SEARCHABLE = 12
/** Longer than any name. */
const MAX_QUERY_LENGTH = 200

const NewPassword = UserChange.pick({ password: true }).required()

const newUserSpecs = formSpecs({
  username: { ...accountSpecs.username, hint: '3 to 20 letters, digits, dots, underscores or hyphens.' },
  displayName: { id: 'display-name', label: 'Name', hint: 'Defaults to the user name.' },
  password: {
    id: 'password',
    label: 'Password',
    hint: '8 characters or more. They can change it later.',
    type: 'password',
    required: true,
    autocomplete: 'new-password',
  },
  roleId: { ...accountSpecs.roleId, hint: 'What they can do.' },
})

interface UsersProps extends Frame, FormState<AccountEntries> {
  query: string
  /** Undefined if the viewer may not list accounts. */
  found: { total: number; matching: number; users: User[] } | undefined
  userId: string
  /** Undefined if the viewer may not create accounts. */
  assignableRoles: RoleNames | undefined
}

function UserList({ basePath, query, found, userId }: UsersProps & { found: NonNullable<UsersProps['found']> }) {
  const { total, matching, users } = found
  return (
    <>
      {(total > MIN_SEARCHABLE || query !== '') && (
        <SearchForm action={basePath + USERS_PATH} submit="Search">
          <Field id="q" name="q" label="Search by name or role" input={{ type: 'search', value: query }} />
        </SearchForm>
      )}
      {users.length === 0 ? (
        <p class="card empty">No users match “{query}”.</p>
      ) : (
        <ListTable
          caption="Accounts"
          stacked
          rows={users}
          columns={[
            {
              title: 'Name',
              names: true,
              cell: ({ id, displayName }) => (
                <>
                  <a href={basePath + pageOf(id)}>{displayName}</a>
                  {id === userId && <span class="tag">You</span>}
                </>
              ),
            },
            { title: 'User name', cell: ({ username }) => username },
            { title: 'Role', cell: ({ isOwner, roleName }) => (isOwner ? 'Owner' : (roleName ?? '')) },
          ]}
        />
      )}
      {matching > users.length && (
        <p class="quiet">
          Showing the first {users.length} of {matching}. Search to find the others.
        </p>
      )}
    </>
  )
}

function UsersPage(props: UsersProps) {
  const { query, found, userId, assignableRoles, entries, faults, ...frame } = props
  const field = formFields(newUserSpecs, { ...emptyForm(newUserSpecs), ...entries }, faults)
  return (
    <Layout {...frame} title="Users – Paxlog" faults={faults} place="users">
      <h1>Users</h1>
      <FaultSummary faults={faults} fields={newUserSpecs} />
      {found && <UserList {...props} found={found} />}
      {assignableRoles && (
        <details class="new" open={entries !== undefined || found === undefined}>
          <summary class="button">New user</summary>
          <PostForm action={frame.basePath + USERS_PATH} csrf={frame.viewer.csrf} submit="Create account">
            <div class="pairs">
              {field('username')}
              {field('displayName')}
              {field('password')}
              {field('roleId', { options: roleOptions(assignableRoles) })}
            </div>
          </PostForm>
        </details>
      )}
    </Layout>
  )
}

/** Leaves out empty fields, except for the required user name. */
const bodyOf = ({ username, ...entries }: AccountEntries) => ({
  ...Object.fromEntries(Object.entries(entries).filter(([, text]) => text.trim() !== '')),
  username: username.trim(),
})

export async function userPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { users, roles } = context

  function search(caller: Caller, query: string) {
    if (!caller.permissions.has('users.directory.read')) return undefined
    const wanted = isWithinLength(query, MAX_QUERY_LENGTH) ? fold(query) : undefined
    const all = users.list(caller)
    const matching = all.filter(
      ({ username, displayName, roleName }) =>
        wanted !== undefined && fold(`${username} ${displayName} ${roleName ?? ''}`).includes(wanted),
    )
    return { total: all.length, matching: matching.length, users: matching.slice(0, MAX_SHOWN) }
  }

  /** The role of the account, and those that the viewer may assign. */
  function rolesFor(caller: Caller, { roleId, roleName }: User): RoleNames {
    const current = roleId === null ? [] : [{ id: roleId, name: roleName ?? roleId }]
    return [...current, ...roles.assignable(caller, 'existing').filter(({ id }) => id !== roleId)]
  }

  function edit({ caller, frame }: Visit, id: string, state: FormState<AccountEntries> & { part?: 'password' }) {
    const account = users.get(caller, id)
    return (
      <UserPage
        {...frame}
        part={state.entries ? 'account' : 'delete'}
        {...state}
        account={account}
        userId={caller.userId}
        roles={rolesFor(caller, account)}
      />
    )
  }

  const pages = crudPages<AccountEntries, string>(app, context, {
    path: USERS_PATH,
    list({ caller, request, frame }, state) {
      requireAny(caller, 'users.directory.read', 'users.create')
      const { q } = request.query as { q?: unknown }
      const query = typeof q === 'string' ? q.trim() : ''
      return (
        <UsersPage
          {...frame}
          {...state}
          query={query}
          found={search(caller, query)}
          userId={caller.userId}
          assignableRoles={caller.permissions.has('users.create') ? roles.assignable(caller, 'new') : undefined}
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
        done: ({ username }) =>
          back(USERS_PATH, `${username} can sign in now. Send them the password over a secure channel.`),
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
      if (id === caller.userId) throw forbidden('Delete your own account in the security settings.')
      await users.remove(caller, id)
    },
    removed: () => 'The account and its data were deleted.',
  })

  pages.post<IdRequest>(`${USERS_PATH}/:id/password`, (visit) => {
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
