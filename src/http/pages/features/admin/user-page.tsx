import type { User } from '../../../../domain/users/contract.ts'
import { ErrorSummary } from '../../components/fields.tsx'
import { DangerForm, formFields, PostForm } from '../../components/forms.tsx'
import { passwordSpecs } from '../../components/password-form.ts'
import { Crumb, Section } from '../../components/section.tsx'
import type { Frame, Viewer } from '../../framework/context.ts'
import type { FormState } from '../../framework/crud.ts'
import { type FormValues, formSpecs } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import type { PageTexts } from '../../texts/languages.ts'

export const USERS_PATH = '/admin/users'

type UserTexts = PageTexts['admin']['user']

export const accountSpecs = (t: UserTexts) =>
  formSpecs({
    displayName: { id: 'display-name', label: t.name, required: true },
    username: { id: 'username', label: t.username, required: true, verbatim: true },
    roleId: { id: 'role', label: t.role, kind: 'select' },
  })

export type AccountEntries = FormValues<ReturnType<typeof accountSpecs>>

export type RoleNames = readonly { id: string; name: string }[]

export const roleOptions = (roles: RoleNames) => roles.map(({ id, name }) => ({ value: id, label: name }))

export const pageOf = (id: string) => `${USERS_PATH}/${encodeURIComponent(id)}`

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

function reasonForNoActions({ isOwner, canManage }: User, t: UserTexts): string {
  if (isOwner) return t.onlyOwner
  if (!canManage) return t.morePermissions
  return t.notPermitted
}

interface UserProps extends Frame, FormState<AccountEntries> {
  account: User
  userId: string
  roles: RoleNames
  /** The form that was rejected. */
  part: 'account' | 'password' | 'delete'
}

export function UserPage({ account, userId, roles, entries, part, fieldErrors, ...frame }: UserProps) {
  const { basePath, viewer } = frame
  const texts = useTexts().admin
  const t = texts.user
  const specs = accountSpecs(t)
  const may = allowedActions(viewer, userId, account)
  const { csrf } = viewer
  const action = basePath + pageOf(account.id)
  const stored = { ...account, roleId: account.roleId ?? '' }
  const field = formFields(specs, entries ?? stored, part === 'account' ? fieldErrors : {})
  const passwordField = formFields(passwordSpecs, { password: '' }, part === 'password' ? fieldErrors : {})
  const about = { username: account.username, role: account.isOwner ? t.ownerOfInstance : (account.roleName ?? '') }
  return (
    <Layout {...frame} title={account.displayName} fieldErrors={fieldErrors} place="users" below>
      <Crumb href={basePath + USERS_PATH}>{texts.users.title}</Crumb>
      <h1 dir="auto">{account.displayName}</h1>
      <p class="quiet">{may.self ? t.aboutYou(about) : t.about(about)}</p>
      <ErrorSummary fieldErrors={fieldErrors} fields={{ account: specs, password: passwordSpecs, delete: {} }[part]} />
      {!may.names && !may.remove && !may.self && <p class="card">{reasonForNoActions(account, t)}</p>}
      {may.names && (
        <Section id="account" title={t.account}>
          <PostForm action={action} csrf={csrf} submit={t.save}>
            <div class="pairs">
              {field('displayName')}
              {field('username')}
              {may.role && field('roleId', { options: roleOptions(roles) })}
            </div>
          </PostForm>
        </Section>
      )}
      {may.password && (
        <Section id="set-password" title={t.newPassword}>
          <p class="quiet">{t.newPasswordHint}</p>
          <PostForm action={`${action}/password`} csrf={csrf} submit={t.setPassword}>
            {passwordField('password')}
          </PostForm>
        </Section>
      )}
      {may.self && (
        <p>
          {(account.isOwner ? t.ownPassword : t.ownPasswordOrDeletion)({
            link: (text) => <a href={`${basePath}/settings/security`}>{text}</a>,
          })}
        </p>
      )}
      {may.remove && (
        <Section id="deletion" title={t.deletion}>
          <DangerForm
            action={`${action}/delete`}
            csrf={csrf}
            summary={t.delete({ name: account.displayName })}
            button={t.deleteThis}
          >
            <p>{t.deleteWarning}</p>
          </DangerForm>
        </Section>
      )}
    </Layout>
  )
}
