import type { Scope } from '../../../../access/scopes.ts'
import type { KeyService } from '../../../../domain/credentials/service.ts'
import type { Connection } from '../../../../domain/oauth/service.ts'
import { Choice, FaultSummary } from '../../components/fields.tsx'
import { Boxes, formFields, PostForm } from '../../components/forms.tsx'
import { passwordSpecs } from '../../components/password-form.ts'
import { Section } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import { type Faults, formSpecs } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { ConnectionList } from './connections.tsx'
import { DeleteAccountForm, deletionSpecs } from './delete-account.tsx'
import { type KeyEntries, KeyForm, KeyList, keySpecs, Used } from './keys.tsx'
import { ProviderLink } from './provider-link.tsx'
import { SessionList, type SignIns } from './sessions.tsx'

interface Props extends Frame {
  username: string
  keys: ReturnType<KeyService['listOf']>
  grantable: readonly Scope[]
  presets: { read: readonly Scope[]; all: readonly Scope[] }
  newKey: { entries: KeyEntries; faults?: Faults } | undefined
  passwordFaults: Faults | undefined
  deletion: { typed: string; faults: Faults } | undefined
  isOwner: boolean
  /** False for an account that signs in at the identity provider only. */
  canUsePassword: boolean
  provider: { name: string } | undefined
  link: { createdAt: number; lastUsedAt: number } | undefined
  connections: readonly Connection[]
  signIns: SignIns
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
    hint: 'They stay as they are otherwise. Tick those that somebody else may have seen.',
    kind: 'boxes',
    sent: 'key',
  },
})

function PasswordForm({
  basePath,
  viewer,
  username,
  keys,
  formats,
  faults,
}: Pick<Props, 'basePath' | 'viewer' | 'username' | 'keys' | 'formats'> & { faults: Faults }) {
  const field = formFields(ownPasswordSpecs, { current: '', password: '', keys: [] }, faults)
  return (
    <PostForm action={`${basePath}/settings/security/password`} csrf={viewer.csrf} submit="Change the password">
      {/* Password managers ask whose password this is. */}
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
                <Used at={lastUsedAt} formats={formats} />
              </span>
            </Choice>
          ))}
        </Boxes>
      )}
    </PostForm>
  )
}

export function SecurityPage(props: Props) {
  const { basePath, viewer, formats, keys, newKey, passwordFaults = {}, deletion, connections } = props
  const { canUsePassword, provider, link } = props
  const faults = { ...newKey?.faults, ...passwordFaults, ...deletion?.faults }
  const faulty = Object.keys(faults).length > 0
  return (
    <Layout {...props} title="Security – Paxlog" faults={faults} place="security">
      <h1>Security</h1>
      <FaultSummary faults={newKey?.faults ?? {}} fields={keySpecs} />
      <FaultSummary faults={passwordFaults} fields={ownPasswordSpecs} />
      <FaultSummary faults={deletion?.faults ?? {}} fields={deletionSpecs} />
      <Section id="keys" title="API keys">
        <p class="quiet">
          A key lets a program use the API in your name, as far as you allow it and never further than your role.
        </p>
        <KeyList basePath={basePath} viewer={viewer} keys={keys} formats={formats} />
        <details class="new" open={newKey !== undefined || (keys.length === 0 && !faulty)}>
          <summary class="button">New API key</summary>
          <KeyForm
            once={props.once}
            basePath={basePath}
            csrf={viewer.csrf}
            entries={newKey?.entries ?? { name: '', scope: props.presets.read, airtrail: false }}
            faults={newKey?.faults ?? {}}
            grantable={props.grantable}
            presets={props.presets}
          />
        </details>
      </Section>
      <Section id="applications" title="Connected applications">
        <ConnectionList basePath={basePath} viewer={viewer} connections={connections} formats={formats} />
      </Section>
      <Section id="sessions" title="Where you are signed in">
        <SessionList basePath={basePath} viewer={viewer} signIns={props.signIns} formats={formats} />
      </Section>
      {provider && (
        <Section id="provider" title={`Sign-in with ${provider.name}`}>
          <ProviderLink {...{ basePath, viewer, formats, provider, link }} mayUnlink={canUsePassword} />
        </Section>
      )}
      {canUsePassword && (
        <Section id="change-password" title="Password">
          <p class="quiet">
            A new password signs you out everywhere else and ends the access of connected applications. API keys stay
            unless you say so.
          </p>
          <PasswordForm {...{ basePath, viewer, keys, formats }} username={props.username} faults={passwordFaults} />
        </Section>
      )}
      {!props.isOwner && (
        <Section id="delete-account" title="Delete my account">
          <DeleteAccountForm
            basePath={basePath}
            csrf={viewer.csrf}
            username={props.username}
            typed={deletion?.typed ?? ''}
            faults={deletion?.faults ?? {}}
            provider={canUsePassword ? undefined : provider?.name}
          />
        </Section>
      )}
    </Layout>
  )
}
