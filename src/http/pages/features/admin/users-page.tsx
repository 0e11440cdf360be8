import type { User } from '../../../../domain/users/contract.ts'
import { FaultSummary, Field } from '../../components/fields.tsx'
import { formFields, PostForm, SearchForm } from '../../components/forms.tsx'
import { ListTable } from '../../components/lists.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Faults } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { type AccountEntries, newUserSpecs, type RoleName, roleOptions } from './user-page.tsx'

interface Props extends Frame {
  query: string
  /** Undefined when the viewer may not see who has an account. */
  found: { all: number; fitting: number; users: readonly User[] } | undefined
  userId: string
  /** The roles that a new account may get; undefined when the viewer may not make one. */
  givable: readonly RoleName[] | undefined
  entries?: AccountEntries | undefined
  faults: Faults
}

/** Below this the list is read at a glance. */
const WORTH_A_SEARCH = 12

const roleOf = ({ isOwner, roleName }: User): string => (isOwner ? 'Owner' : (roleName ?? ''))

const Search = ({ basePath, query }: { basePath: string; query: string }) => (
  <SearchForm action={`${basePath}/admin/users`} submit="Search">
    <Field id="q" name="q" label="Search by name or role" input={{ type: 'search', value: query }} />
  </SearchForm>
)

function UserTable({ basePath, users, userId }: { basePath: string; users: readonly User[]; userId: string }) {
  return (
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
              <a href={`${basePath}/admin/users/${encodeURIComponent(id)}`}>{displayName}</a>
              {id === userId && <span class="tag">You</span>}
            </>
          ),
        },
        { title: 'User name', cell: ({ username }) => username },
        { title: 'Role', cell: roleOf },
      ]}
    />
  )
}

interface NewUserProps {
  basePath: string
  csrf: string
  givable: readonly RoleName[]
  entries: AccountEntries
  faults: Faults
}

function NewUserForm({ basePath, csrf, givable, entries, faults }: NewUserProps) {
  const field = formFields(newUserSpecs, { ...entries, password: '' }, faults)
  return (
    <PostForm action={`${basePath}/admin/users`} csrf={csrf} submit="Create the account">
      <div class="pairs">
        {field('username')}
        {field('displayName')}
        {field('password')}
        {field('roleId', { options: roleOptions(givable) })}
      </div>
    </PostForm>
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
  return (
    <Layout {...frame} title="Users – Paxlog" faults={faults} place="users">
      <h1>Users</h1>
      <FaultSummary faults={faults} fields={newUserSpecs} />
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
