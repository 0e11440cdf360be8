import type { KeyService } from '../../../../domain/credentials/service.ts'
import type { Connection } from '../../../../domain/oauth/service.ts'
import type { SessionService } from '../../../../domain/sessions/service.ts'
import { Choice, ErrorSummary } from '../../components/fields.tsx'
import { Boxes, ButtonForm, formFields, PostForm } from '../../components/forms.tsx'
import { passwordSpecs } from '../../components/password-form.ts'
import { Section } from '../../components/section.tsx'
import { assets } from '../../framework/assets.ts'
import { type FieldErrors, formSpecs } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import type { PageTexts } from '../../texts/languages.ts'
import { DeleteAccountForm, deletionSpecs } from './delete-account.tsx'
import { ConnectionList, type KeyEntries, KeyForm, KeyList, keySpecs, LastUsed, timesOf, unseen } from './keys.tsx'
import { type PasskeyProps, PasskeysSection } from './passkeys-section.tsx'

/** The rejected form, if any. */
export interface SecurityForms {
  newKey?: { entries: KeyEntries; fieldErrors?: FieldErrors }
  passwordErrors?: FieldErrors
  deletion?: { typed: string; fieldErrors: FieldErrors }
}

interface Props extends SecurityForms, PasskeyProps {
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

export const ownPasswordSpecs = (t: PageTexts['security']) =>
  formSpecs({
    current: {
      id: 'current',
      label: t.currentPassword,
      type: 'password',
      required: true,
      autocomplete: 'current-password',
    },
    password: passwordSpecs.password,
    keys: {
      id: 'delete-keys',
      label: t.keysToDelete,
      hint: t.keysToDeleteHint,
      kind: 'boxes',
      sent: 'key',
    },
  })

function PasswordForm({ basePath, viewer, username, keys, formats, passwordErrors = {} }: Props) {
  const t = useTexts().security
  const specs = ownPasswordSpecs(t)
  const field = formFields(specs, { current: '', password: '', keys: [] }, passwordErrors)
  return (
    <PostForm action={`${basePath}/settings/security/password`} csrf={viewer.csrf} submit={t.changePassword}>
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
        <Boxes {...specs.keys}>
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
  const t = useTexts().security
  const path = `${basePath}/settings/security/sessions`
  return (
    <>
      <ul class="cards">
        {sessions.map(({ handle, device, count, createdAt, lastUsedAt, isCurrent }) => (
          <li key={handle} class="card sign-in">
            <p>
              {device && isCurrent ? (
                t.thisDevice({ name: device, device: (text) => <strong>{text}</strong> })
              ) : (
                <strong>{device ?? (isCurrent ? t.thisBrowser : t.anotherBrowser)}</strong>
              )}
              <br />
              <span class="quiet">
                {count === 1
                  ? t.sessionDates(timesOf(createdAt, lastUsedAt, formats))
                  : t.severalSessionDates({ ...timesOf(createdAt, lastUsedAt, formats), count })}
              </span>
            </p>
            {(!isCurrent || count > 1) && (
              <ButtonForm action={`${path}/${handle}/end`} csrf={viewer.csrf}>
                {device
                  ? (isCurrent ? t.signOutOthers : t.signOutDevice)({ device, unseen })
                  : t.signOut({ moment: formats.moment(createdAt), unseen })}
              </ButtonForm>
            )}
          </li>
        ))}
      </ul>
      {sessions.some(({ isCurrent }) => !isCurrent) && (
        <ButtonForm action={`${path}/end`} csrf={viewer.csrf}>
          {t.signOutElsewhere}
        </ButtonForm>
      )}
    </>
  )
}

const instantOf = (at: number) => new Date(at).toISOString()

function ProviderLink({ basePath, viewer, formats, name, link, ...props }: Props & { name: string }) {
  const t = useTexts().security
  const canUnlink = props.canUsePassword || props.passkeys.some(({ otherHost }) => otherHost === undefined)
  const action = `${basePath}/settings/security/oidc/${link ? 'unlink' : 'link'}`
  return (
    <div class="card">
      {link ? (
        <p>{t.linkDates(timesOf(instantOf(link.createdAt), instantOf(link.lastUsedAt), formats))}</p>
      ) : (
        <p>{t.linkHint({ provider: name })}</p>
      )}
      {link && !canUnlink ? (
        <p class="quiet">{t.onlySignIn}</p>
      ) : (
        <ButtonForm action={action} csrf={viewer.csrf}>
          {link ? t.unlink({ provider: name }) : t.link({ provider: name })}
        </ButtonForm>
      )}
    </div>
  )
}

export function SecurityPage(props: Props) {
  const { basePath, viewer, username, newKey, passwordErrors = {}, deletion, canUsePassword, provider } = props
  const t = useTexts().security
  const fieldErrors = { ...newKey?.fieldErrors, ...passwordErrors, ...deletion?.fieldErrors }
  return (
    <Layout
      {...props}
      title={t.title}
      fieldErrors={fieldErrors}
      scripts={props.isOffered ? [assets.passkeys] : []}
      place="security"
    >
      <h1>{t.title}</h1>
      <ErrorSummary fieldErrors={newKey?.fieldErrors ?? {}} fields={keySpecs(t)} />
      <ErrorSummary fieldErrors={passwordErrors} fields={ownPasswordSpecs(t)} />
      <ErrorSummary fieldErrors={deletion?.fieldErrors ?? {}} fields={deletionSpecs(t)} />
      <Section id="keys" title={t.keys}>
        <p class="quiet">{t.keysHint}</p>
        <KeyList {...props} />
        <details class="new" open={newKey !== undefined}>
          <summary class={props.keys.length === 0 ? 'button primary' : 'button'}>{t.newKey}</summary>
          <KeyForm {...props} entries={newKey?.entries} fieldErrors={newKey?.fieldErrors ?? {}} />
        </details>
      </Section>
      {(props.isOffered || props.passkeys.length > 0) && (
        <Section id="passkeys" title={t.passkeys}>
          <PasskeysSection {...props} />
        </Section>
      )}
      <Section id="applications" title={t.applications}>
        <ConnectionList {...props} />
      </Section>
      <Section id="sessions" title={t.sessions}>
        <SessionList {...props} />
      </Section>
      {provider && (
        <Section id="provider" title={t.provider({ provider: provider.name })}>
          <ProviderLink {...props} name={provider.name} />
        </Section>
      )}
      {canUsePassword && (
        <Section id="change-password" title={t.password}>
          <p class="quiet">{t.passwordHint}</p>
          <PasswordForm {...props} />
        </Section>
      )}
      {!props.isOwner && (
        <Section id="delete-account" title={t.deleteAccount}>
          <DeleteAccountForm
            basePath={basePath}
            csrf={viewer.csrf}
            username={username}
            typed={deletion?.typed ?? ''}
            fieldErrors={deletion?.fieldErrors ?? {}}
            canUsePassword={canUsePassword}
            provider={canUsePassword || !props.link ? undefined : provider?.name}
            hasPasskey={props.passkeys.some(({ otherHost }) => otherHost === undefined)}
          />
        </Section>
      )}
    </Layout>
  )
}
