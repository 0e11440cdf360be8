import type { User } from '../../../domain/users/contract.ts'
import type { Frame } from '../context.ts'
import { FaultSummary, type Faults, Field, Hidden, SelectField } from './fields.tsx'
import { Layout } from './layout.tsx'

/** What was typed into the form of an account. */
export interface AccountEntries {
  username: string
  displayName: string
  roleId: string
}

export interface RoleName {
  id: string
  name: string
}

export const accountFields = {
  username: { id: 'username', label: 'User name' },
  displayName: { id: 'display-name', label: 'Name' },
  roleId: { id: 'role', label: 'Role' },
  form: { id: 'content', label: 'Not possible' },
}

const fieldsOf = {
  account: accountFields,
  password: { password: { id: 'new-password', label: 'New password' }, form: { id: 'content', label: 'Not possible' } },
  delete: { form: { id: 'content', label: 'Not possible' } },
}

interface Powers {
  self: boolean
  names: boolean
  role: boolean
  password: boolean
  remove: boolean
}

interface Props extends Frame {
  account: User
  powers: Powers
  roles: readonly RoleName[]
  entries: AccountEntries | undefined
  /** The form that was refused. */
  part: keyof typeof fieldsOf | undefined
  faults: Faults
}

type Parts = Pick<Props, 'account' | 'powers' | 'roles' | 'faults'> & { action: string; csrf: string }

function AccountForm({ account, powers, roles, entries, faults, action, csrf }: Parts & Pick<Props, 'entries'>) {
  const shown = entries ?? { ...account, roleId: account.roleId ?? '' }
  return (
    <form method="post" action={action} noValidate class="card">
      <Hidden csrf={csrf} />
      <div class="pairs">
        <Field
          {...accountFields.displayName}
          name="displayName"
          fault={faults.displayName}
          input={{ type: 'text', value: shown.displayName, required: true, autocomplete: 'off' }}
        />
        <Field
          {...accountFields.username}
          name="username"
          fault={faults.username}
          input={{ type: 'text', value: shown.username, required: true, autocomplete: 'off', autocapitalize: 'none' }}
        />
        {powers.role && (
          <SelectField
            {...accountFields.roleId}
            name="roleId"
            fault={faults.roleId}
            value={shown.roleId}
            options={roles.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
      </div>
      <button class="primary" type="submit">
        Save
      </button>
    </form>
  )
}

function PasswordForm({ faults, action, csrf }: Pick<Parts, 'faults' | 'action' | 'csrf'>) {
  return (
    <form method="post" action={`${action}/password`} noValidate class="card">
      <Hidden csrf={csrf} />
      <Field
        {...fieldsOf.password.password}
        name="password"
        fault={faults.password}
        hint="8 characters or more."
        input={{ type: 'password', required: true, autocomplete: 'new-password' }}
      />
      <button type="submit">Set the password</button>
    </form>
  )
}

function Deletion({ account, action, csrf }: Pick<Parts, 'account' | 'action' | 'csrf'>) {
  return (
    <details class="danger">
      <summary class="fold bad">Delete {account.displayName}</summary>
      <form method="post" action={`${action}/delete`}>
        <Hidden csrf={csrf} />
        <p>
          Their keys, shares, visited countries and connected applications go with the account, and so do all flights on
          which nobody else has an account. Other flights stay. This cannot be taken back.
        </p>
        <button class="danger" type="submit">
          Delete this account
        </button>
      </form>
    </details>
  )
}

/** Why there is nothing to be done here, in one sentence; undefined when there is. */
function obstacle({ account, powers }: Pick<Props, 'account' | 'powers'>): string | undefined {
  if (powers.names || powers.remove || powers.self) return undefined
  if (account.isOwner) return "Nobody but the owner changes the owner's account."
  if (!account.canManage) return 'Your role does not reach as far as this user.'
  return 'Your role does not permit changing accounts.'
}

/** One account, with what the viewer may do to it and nothing else. */
export function UserPage({ account, powers, roles, entries, part, faults, ...frame }: Props) {
  const { basePath, viewer } = frame
  const faulty = Object.keys(faults).length > 0
  const action = `${basePath}/admin/users/${encodeURIComponent(account.id)}`
  const common = { account, powers, action, csrf: viewer.csrf, roles }
  const why = obstacle({ account, powers })
  return (
    <Layout {...frame} title={`${faulty ? 'Error: ' : ''}${account.displayName} – Paxlog`} place="users" below>
      <p class="crumb">
        <a href={`${basePath}/admin/users`}>Users</a>
      </p>
      <h1>{account.displayName}</h1>
      <p class="quiet">
        {account.username}, {account.isOwner ? 'owner of this instance' : account.roleName}
        {powers.self && ' – this is you'}
      </p>
      <FaultSummary faults={faults} fields={fieldsOf[part ?? 'account']} />
      {why && <p class="card">{why}</p>}
      {powers.names && (
        <section aria-labelledby="account">
          <h2 id="account">Account</h2>
          <AccountForm {...common} entries={entries} faults={part === 'account' ? faults : {}} />
        </section>
      )}
      {powers.password && (
        <section aria-labelledby="set-password">
          <h2 id="set-password">New password</h2>
          <p class="quiet">
            It signs them out everywhere and ends the access of connected applications. Their API keys stay.
          </p>
          <PasswordForm {...common} faults={part === 'password' ? faults : {}} />
        </section>
      )}
      {powers.self && (
        <p>
          Your own password is changed{account.isOwner ? '' : ', and your account deleted,'} in the{' '}
          <a href={`${basePath}/settings/security`}>security settings</a>.
        </p>
      )}
      {powers.remove && (
        <section aria-labelledby="deletion">
          <h2 id="deletion">Delete</h2>
          <Deletion {...common} />
        </section>
      )}
    </Layout>
  )
}
