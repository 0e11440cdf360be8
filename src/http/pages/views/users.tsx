import type { User } from '../../../domain/users/contract.ts'
import type { Frame } from '../context.ts'
import { FaultSummary, type Faults, Field, Hidden, SelectField } from './fields.tsx'
import { Layout } from './layout.tsx'
import { type AccountEntries, accountFields, type RoleName } from './user.tsx'

interface Props extends Frame {
  query: string
  /** Undefined when the viewer may not see who has an account. */
  found: { all: number; fitting: number; users: readonly User[] } | undefined
  userId: string
  /** The roles that a new account may get; undefined when the viewer may not make one. */
  givable: readonly RoleName[] | undefined
  entries: AccountEntries | undefined
  faults: Faults
}

/** Below this the list is read at a glance. */
const WORTH_A_SEARCH = 12

const roleOf = ({ isOwner, roleName }: User): string => (isOwner ? 'Owner' : (roleName ?? ''))

function Search({ basePath, query }: { basePath: string; query: string }) {
  return (
    <search>
      <form class="search" method="get" action={`${basePath}/admin/users`}>
        <div class="field">
          <label for="q">Search by name or role</label>
          <input id="q" name="q" type="search" value={query} />
        </div>
        <button type="submit">Search</button>
      </form>
    </search>
  )
}

function UserTable({ basePath, users, userId }: { basePath: string; users: readonly User[]; userId: string }) {
  return (
    <div class="card flush">
      <table class="list">
        <caption class="unseen">Accounts</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">User name</th>
            <th scope="col">Role</th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.id}>
              <th scope="row">
                <a href={`${basePath}/admin/users/${encodeURIComponent(user.id)}`}>{user.displayName}</a>
                {user.id === userId && <span class="tag">You</span>}
              </th>
              <td>{user.username}</td>
              <td>{roleOf(user)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const fields = { ...accountFields, password: { id: 'password', label: 'Password' } }

interface NewUserProps {
  basePath: string
  csrf: string
  givable: readonly RoleName[]
  entries: AccountEntries
  faults: Faults
}

function NewUserForm({ basePath, csrf, givable, entries, faults }: NewUserProps) {
  return (
    <form method="post" action={`${basePath}/admin/users`} noValidate class="card">
      <Hidden csrf={csrf} />
      <div class="pairs">
        <Field
          {...fields.username}
          name="username"
          fault={faults.username}
          hint="3 to 20 letters, digits, dots, underscores or hyphens."
          input={{ type: 'text', value: entries.username, required: true, autocomplete: 'off', autocapitalize: 'none' }}
        />
        <Field
          {...fields.displayName}
          name="displayName"
          fault={faults.displayName}
          hint="The user name when left empty."
          input={{ type: 'text', value: entries.displayName, autocomplete: 'off' }}
        />
        <Field
          {...fields.password}
          name="password"
          fault={faults.password}
          hint="8 characters or more. They can change it later."
          input={{ type: 'password', required: true, autocomplete: 'new-password' }}
        />
        <SelectField
          {...fields.roleId}
          name="roleId"
          fault={faults.roleId}
          hint="What they may do."
          value={entries.roleId}
          options={givable.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </div>
      <button class="primary" type="submit">
        Create the account
      </button>
    </form>
  )
}

function Listed({
  basePath,
  query,
  found,
  userId,
}: Pick<Props, 'basePath' | 'query' | 'userId'> & { found: NonNullable<Props['found']> }) {
  const { all, fitting, users } = found
  return (
    <>
      {(all > WORTH_A_SEARCH || query !== '') && <Search basePath={basePath} query={query} />}
      {users.length === 0 ? (
        <p class="card empty">Nobody fits “{query}”.</p>
      ) : (
        <UserTable basePath={basePath} users={users} userId={userId} />
      )}
      {fitting > users.length && (
        <p class="quiet">
          These are the first {users.length} of {fitting}. Search to find the others.
        </p>
      )}
    </>
  )
}

export function UsersPage({ query, found, userId, givable, entries, faults, ...frame }: Props) {
  const { basePath, viewer } = frame
  const faulty = Object.keys(faults).length > 0
  return (
    <Layout {...frame} title={`${faulty ? 'Error: ' : ''}Users – Paxlog`} place="users">
      <h1>Users</h1>
      <FaultSummary faults={faults} fields={fields} />
      {found && <Listed basePath={basePath} query={query} found={found} userId={userId} />}
      {givable && (
        <details class="new" open={entries !== undefined || found === undefined}>
          <summary class="button">New user</summary>
          <NewUserForm
            basePath={basePath}
            csrf={viewer.csrf}
            givable={givable}
            entries={entries ?? { username: '', displayName: '', roleId: '' }}
            faults={faults}
          />
        </details>
      )}
    </Layout>
  )
}
