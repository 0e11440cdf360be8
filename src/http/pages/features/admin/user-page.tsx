import type { User } from '../../../../domain/users/contract.ts'
import { FaultSummary } from '../../components/fields.tsx'
import { DangerForm, formFields, PostForm } from '../../components/forms.tsx'
import { passwordSpecs } from '../../components/password-form.ts'
import { Crumb, Section } from '../../components/section.tsx'
import type { Frame, Viewer } from '../../framework/context.ts'
import type { FormState } from '../../framework/crud.ts'
import { formSpecs, type Typed } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'

export const USERS_PATH = '/admin/users'

export const accountSpecs = formSpecs({
  displayName: { id: 'display-name', label: 'Name', required: true },
  username: { id: 'username', label: 'User name', required: true, verbatim: true },
  roleId: { id: 'role', label: 'Role', kind: 'select' },
})

export type AccountEntries = Typed<typeof accountSpecs>

export type RoleNames = readonly { id: string; name: string }[]

export const roleOptions = (roles: RoleNames) => roles.map(({ id, name }) => ({ value: id, label: name }))

export const pageOf = (id: string) => `${USERS_PATH}/${encodeURIComponent(id)}`

const specsOf = { account: accountSpecs, password: passwordSpecs, delete: {} }

/** The actions to offer on an account (contract 2.5 and 2.6); the service authorizes each one. */
function allowedActions({ permissions }: Viewer, userId: string, account: User) {
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

function reasonForNoActions({ isOwner, canManage }: User): string {
  if (isOwner) return "Only the owner can change the owner's account."
  if (!canManage) return 'You can only manage users with fewer permissions than you.'
  return 'Your role does not permit changing accounts.'
}

interface UserProps extends Frame, FormState<AccountEntries> {
  account: User
  userId: string
  roles: RoleNames
  /** The form that was rejected. */
  part: keyof typeof specsOf
}

export function UserPage({ account, userId, roles, entries, part, faults, ...frame }: UserProps) {
  const { basePath, viewer } = frame
  const may = allowedActions(viewer, userId, account)
  const { csrf } = viewer
  const action = basePath + pageOf(account.id)
  const stored = { ...account, roleId: account.roleId ?? '' }
  const field = formFields(accountSpecs, entries ?? stored, part === 'account' ? faults : {})
  const passwordField = formFields(passwordSpecs, { password: '' }, part === 'password' ? faults : {})
  return (
    <Layout {...frame} title={`${account.displayName} – Paxlog`} faults={faults} place="users" below>
      <Crumb href={basePath + USERS_PATH}>Users</Crumb>
      <h1 dir="auto">{account.displayName}</h1>
      <p class="quiet">
        {account.username}, {account.isOwner ? 'owner of this instance' : account.roleName}
        {may.self && ' – this is you'}
      </p>
      <FaultSummary faults={faults} fields={specsOf[part]} />
      {!may.names && !may.remove && !may.self && <p class="card">{reasonForNoActions(account)}</p>}
      {may.names && (
        <Section id="account" title="Account">
          <PostForm action={action} csrf={csrf} submit="Save">
            <div class="pairs">
              {field('displayName')}
              {field('username')}
              {may.role && field('roleId', { options: roleOptions(roles) })}
            </div>
          </PostForm>
        </Section>
      )}
      {may.password && (
        <Section id="set-password" title="New password">
          <p class="quiet">
            This signs them out everywhere and ends the access of connected applications. Their API keys stay valid.
          </p>
          <PostForm action={`${action}/password`} csrf={csrf} submit="Set password">
            {passwordField('password')}
          </PostForm>
        </Section>
      )}
      {may.self && (
        <p>
          Change your password{account.isOwner ? '' : ' or delete your account'} in the{' '}
          <a href={`${basePath}/settings/security`}>security settings</a>.
        </p>
      )}
      {may.remove && (
        <Section id="deletion" title="Delete">
          <DangerForm
            action={`${action}/delete`}
            csrf={csrf}
            summary={`Delete ${account.displayName}`}
            button="Delete this account"
          >
            <p>
              This also deletes their keys, shares, visited countries and connected applications, and all flights
              without another passenger who has an account. It cannot be undone.
            </p>
          </DangerForm>
        </Section>
      )}
    </Layout>
  )
}
