import type { User } from '../../../../domain/users/contract.ts'
import { FaultSummary } from '../../components/fields.tsx'
import { DangerForm, formFields, PostForm } from '../../components/forms.tsx'
import { passwordSpecs } from '../../components/password-form.ts'
import { Crumb, Section } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import { type Faults, formSpecs, type Typed } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'

export interface RoleName {
  id: string
  name: string
}

export const accountSpecs = formSpecs({
  displayName: { id: 'display-name', label: 'Name', required: true },
  username: { id: 'username', label: 'User name', required: true, verbatim: true },
  roleId: { id: 'role', label: 'Role', kind: 'select' },
})

/** What was typed into the form of an account. */
export type AccountEntries = Typed<typeof accountSpecs>

export const newUserSpecs = formSpecs({
  username: { ...accountSpecs.username, hint: '3 to 20 letters, digits, dots, underscores or hyphens.' },
  displayName: { id: 'display-name', label: 'Name', hint: 'The user name when left empty.' },
  password: {
    id: 'password',
    label: 'Password',
    hint: '8 characters or more. They can change it later.',
    type: 'password',
    required: true,
    autocomplete: 'new-password',
  },
  roleId: { ...accountSpecs.roleId, hint: 'What they may do.' },
})

const specsOf = { account: accountSpecs, password: passwordSpecs, delete: {} }

export const roleOptions = (roles: readonly RoleName[]) => roles.map(({ id, name }) => ({ value: id, label: name }))

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
  entries?: AccountEntries | undefined
  /** The form that was refused. */
  part: keyof typeof specsOf | undefined
  faults: Faults
}

type Parts = Pick<Props, 'account' | 'powers' | 'roles' | 'faults'> & { action: string; csrf: string }

function AccountForm({ account, powers, roles, entries, faults, action, csrf }: Parts & Pick<Props, 'entries'>) {
  const field = formFields(accountSpecs, entries ?? { ...account, roleId: account.roleId ?? '' }, faults)
  return (
    <PostForm action={action} csrf={csrf} submit="Save">
      <div class="pairs">
        {field('displayName')}
        {field('username')}
        {powers.role && field('roleId', { options: roleOptions(roles) })}
      </div>
    </PostForm>
  )
}

function PasswordForm({ faults, action, csrf }: Pick<Parts, 'faults' | 'action' | 'csrf'>) {
  return (
    <PostForm action={`${action}/password`} csrf={csrf} submit="Set the password">
      {formFields(passwordSpecs, { password: '' }, faults)('password')}
    </PostForm>
  )
}

function Deletion({ account, action, csrf }: Pick<Parts, 'account' | 'action' | 'csrf'>) {
  return (
    <DangerForm
      action={`${action}/delete`}
      csrf={csrf}
      summary={`Delete ${account.displayName}`}
      button="Delete this account"
    >
      <p>
        Their keys, shares, visited countries and connected applications go with the account, and so do all flights on
        which nobody else has an account. Other flights stay. This cannot be taken back.
      </p>
    </DangerForm>
  )
}

/** Why there is nothing to be done here, in one sentence; undefined when there is. */
function obstacle({ account, powers }: Pick<Props, 'account' | 'powers'>): string | undefined {
  if (powers.names || powers.remove || powers.self) return undefined
  if (account.isOwner) return "Nobody but the owner changes the owner's account."
  if (!account.canManage) return 'You can only manage users with fewer permissions than you.'
  return 'Your role does not permit changing accounts.'
}

/** One account, with what the viewer may do to it and nothing else. */
export function UserPage({ account, powers, roles, entries, part, faults, ...frame }: Props) {
  const { basePath, viewer } = frame
  const action = `${basePath}/admin/users/${encodeURIComponent(account.id)}`
  const common = { account, powers, action, csrf: viewer.csrf, roles }
  const why = obstacle({ account, powers })
  return (
    <Layout {...frame} title={`${account.displayName} – Paxlog`} faults={faults} place="users" below>
      <Crumb href={`${basePath}/admin/users`}>Users</Crumb>
      <h1 dir="auto">{account.displayName}</h1>
      <p class="quiet">
        {account.username}, {account.isOwner ? 'owner of this instance' : account.roleName}
        {powers.self && ' – this is you'}
      </p>
      <FaultSummary faults={faults} fields={specsOf[part ?? 'account']} />
      {why && <p class="card">{why}</p>}
      {powers.names && (
        <Section id="account" title="Account">
          <AccountForm {...common} entries={entries} faults={part === 'account' ? faults : {}} />
        </Section>
      )}
      {powers.password && (
        <Section id="set-password" title="New password">
          <p class="quiet">
            It signs them out everywhere and ends the access of connected applications. Their API keys stay.
          </p>
          <PasswordForm {...common} faults={part === 'password' ? faults : {}} />
        </Section>
      )}
      {powers.self && (
        <p>
          Your own password is changed{account.isOwner ? '' : ', and your account deleted,'} in the{' '}
          <a href={`${basePath}/settings/security`}>security settings</a>.
        </p>
      )}
      {powers.remove && (
        <Section id="deletion" title="Delete">
          <Deletion {...common} />
        </Section>
      )}
    </Layout>
  )
}
