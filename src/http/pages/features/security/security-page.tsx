import type { KeyService } from '../../../../domain/credentials/service.ts'
import type { Connection } from '../../../../domain/oauth/service.ts'
import type { SessionService } from '../../../../domain/sessions/service.ts'
import { Choice, FaultSummary } from '../../components/fields.tsx'
import { Boxes, ButtonForm, formFields, PostForm } from '../../components/forms.tsx'
import { passwordSpecs } from '../../components/password-form.ts'
import { Section } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import { type Faults, formSpecs } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { DeleteAccountForm, deletionSpecs } from './delete-account.tsx'
import { ConnectionList, type KeyEntries, KeyForm, KeyList, keySpecs, LastUsed } from './keys.tsx'

/** The rejected form, if any. */
export interface SecurityForms {
  newKey?: { entries: KeyEntries; faults?: Faults }
  passwordFaults?: Faults
  deletion?: { typed: string; faults: Faults }
}

interface Props extends Frame, SecurityForms {
  username: string
  isOwner: boolean
  keys: ReturnType<KeyService['listOf']>
  connections: Connection[]
  sessions: ReturnType<SessionService['listOf']>
  /** False for an account that signs in at the identity provider only. */
  canUsePassword: boolean
  provider: { name: string } | undefined
  link: { createdAt: number; lastUsedAt: number } | undefined
  once: string
}

export const ownPasswordSpecs = formSpecs({
  current: {
    id: 'current',
    label: 'Current password',
    type: 'password',
    required: true,
    autocomplete: 'current-password',
  },
  password: passwordSpecs.password,
  keys: {
    id: 'delete-keys',
    label: 'Delete these API keys too',
    hint: 'Select keys that someone else may have seen. The others stay valid.',
    kind: 'boxes',
    sent: 'key',
  },
})

function PasswordForm({ basePath, viewer, username, keys, formats, passwordFaults = {} }: Props) {
  const field = formFields(ownPasswordSpecs, { current: '', password: '', keys: [] }, passwordFaults)
  return (
    <PostForm action={`${basePath}/settings/security/password`} csrf={viewer.csrf} submit="Change password">
      {/* Tells password managers which account this is. */}
      <input
        class="unseen"
        type="text"
        value={username}
        autocomplete="username"
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      {field('current')}
      {field('password')}
      {keys.length > 0 && (
        <Boxes {...ownPasswordSpecs.keys}>
          {keys.map(({ id, name, lastUsedAt }) => (
            <Choice key={id} name="key" value={String(id)} checked={false}>
              <span dir="auto">{name}</span>{' '}
              <span class="quiet">
                <LastUsed at={lastUsedAt} formats={formats} />
              </span>
            </Choice>
          ))}
        </Boxes>
      )}
    </PostForm>
  )
}

function SessionList({ basePath, viewer, sessions, formats }: Props) {
  const path = `${basePath}/settings/security/sessions`
  return (
    <>
      <ul class="cards">
        {sessions.map(({ handle, device, createdAt, lastUsedAt, isCurrent }) => (
          <li key={handle} class="card sign-in">
            <p>
              <strong>{device ?? (isCurrent ? 'This browser' : 'Another browser')}</strong>
              {device && isCurrent && ' (this browser)'}
              <br />
              <span class="quiet">
                Signed in <time dateTime={createdAt}>{formats.moment(createdAt)}</time>, last seen about{' '}
                <time dateTime={lastUsedAt}>{formats.moment(lastUsedAt)}</time>
              </span>
            </p>
            {!isCurrent && (
              <ButtonForm action={`${path}/${handle}/end`} csrf={viewer.csrf}>
                Sign out
                <span class="unseen">
                  {' '}
                  the session of {formats.moment(createdAt)}
                  {device && ` with ${device}`}
                </span>
              </ButtonForm>
            )}
          </li>
        ))}
      </ul>
      {sessions.some(({ isCurrent }) => !isCurrent) && (
        <ButtonForm action={`${path}/end`} csrf={viewer.csrf}>
          Sign out everywhere else
        </ButtonForm>
      )}
    </>
  )
}

function Moment({ at, formats }: { at: number; formats: Formats }) {
  const instant = new Date(at).toISOString()
  return <time dateTime={instant}>{formats.moment(instant)}</time>
}

function ProviderLink({ basePath, viewer, formats, name, link, canUsePassword }: Props & { name: string }) {
  const action = `${basePath}/settings/security/oidc/${link ? 'unlink' : 'link'}`
  return (
    <div class="card">
      {link ? (
        <p>
          Linked <Moment at={link.createdAt} formats={formats} />, last used{' '}
          <Moment at={link.lastUsedAt} formats={formats} />.
        </p>
      ) : (
        <p>Link your account to sign in with {name} as well as with your password.</p>
      )}
      {link && !canUsePassword ? (
        <p class="quiet">This is your only way to sign in, so it cannot be unlinked.</p>
      ) : (
        <ButtonForm action={action} csrf={viewer.csrf}>
          {link ? `Unlink from ${name}` : `Link to ${name}`}
        </ButtonForm>
      )}
    </div>
  )
}

export function SecurityPage(props: Props) {
  const { basePath, viewer, username, keys, newKey, passwordFaults = {}, deletion, canUsePassword, provider } = props
  const faults = { ...newKey?.faults, ...passwordFaults, ...deletion?.faults }
  const hasFaults = Object.keys(faults).length > 0
  return (
    <Layout {...props} title="Security – Paxlog" faults={faults} place="security">
      <h1>Security</h1>
      <FaultSummary faults={newKey?.faults ?? {}} fields={keySpecs} />
      <FaultSummary faults={passwordFaults} fields={ownPasswordSpecs} />
      <FaultSummary faults={deletion?.faults ?? {}} fields={deletionSpecs} />
      <Section id="keys" title="API keys">
        <p class="quiet">
          A key lets a program use the API as you, with the permissions that you select and never more than your role.
        </p>
        <KeyList {...props} />
        <details class="new" open={newKey !== undefined || (keys.length === 0 && !hasFaults)}>
          <summary class="button">New API key</summary>
          <KeyForm {...props} entries={newKey?.entries} faults={newKey?.faults ?? {}} />
        </details>
      </Section>
      <Section id="applications" title="Connected applications">
        <ConnectionList {...props} />
      </Section>
      <Section id="sessions" title="Where you are signed in">
        <SessionList {...props} />
      </Section>
      {provider && (
        <Section id="provider" title={`Sign-in with ${provider.name}`}>
          <ProviderLink {...props} name={provider.name} />
        </Section>
      )}
      {canUsePassword && (
        <Section id="change-password" title="Password">
          <p class="quiet">
            A new password signs you out everywhere else and ends the access of connected applications. API keys stay
            valid unless you select them.
          </p>
          <PasswordForm {...props} />
        </Section>
      )}
      {!props.isOwner && (
        <Section id="delete-account" title="Delete my account">
          <DeleteAccountForm
            basePath={basePath}
            csrf={viewer.csrf}
            username={username}
            typed={deletion?.typed ?? ''}
            faults={deletion?.faults ?? {}}
            provider={canUsePassword ? undefined : provider?.name}
          />
        </Section>
      )}
    </Layout>
  )
}
