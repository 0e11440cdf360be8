import type { Scope } from '../../../access/scopes.ts'
import type { KeyService } from '../../../domain/credentials/service.ts'
import type { Connection } from '../../../domain/oauth/connections.ts'
import type { Frame } from '../context.ts'
import { ConnectionList } from './connections.tsx'
import { DeleteAccountForm, deletionFields } from './delete-account.tsx'
import { FaultSummary, type Faults, Field, Hidden } from './fields.tsx'
import { KeyForm, KeyList, keyFields, type NewKey } from './keys.tsx'
import { Layout } from './layout.tsx'

interface Props extends Frame {
  username: string
  keys: ReturnType<KeyService['listOf']>
  grantable: readonly Scope[]
  presets: { read: readonly Scope[]; all: readonly Scope[] }
  newKey: NewKey | undefined
  passwordFaults: Faults | undefined
  deletionFaults: Faults | undefined
  isOwner: boolean
  connections: readonly Connection[]
}

const passwordFields = {
  current: { id: 'current', label: 'Current password' },
  password: { id: 'new-password', label: 'New password' },
}

function PasswordForm({
  basePath,
  viewer,
  username,
  faults,
}: Pick<Props, 'basePath' | 'viewer' | 'username'> & { faults: Faults }) {
  return (
    <form method="post" action={`${basePath}/settings/security/password`} noValidate>
      <Hidden csrf={viewer.csrf} />
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
      <Field
        {...passwordFields.current}
        name="current"
        fault={faults.current}
        input={{ type: 'password', required: true, autocomplete: 'current-password' }}
      />
      <Field
        {...passwordFields.password}
        name="password"
        fault={faults.password}
        hint="8 characters or more."
        input={{ type: 'password', required: true, autocomplete: 'new-password' }}
      />
      <button class="primary" type="submit">
        Change the password
      </button>
    </form>
  )
}

export function SecurityPage(props: Props) {
  const { basePath, viewer, formats, keys, newKey, passwordFaults = {}, deletionFaults = {}, connections } = props
  const faults = { ...newKey?.faults, ...passwordFaults, ...deletionFaults }
  const faulty = Object.keys(faults).length > 0
  return (
    <Layout {...props} title={`${faulty ? 'Error: ' : ''}Security – Paxlog`} place="security">
      <h1>Security</h1>
      <FaultSummary faults={newKey?.faults ?? {}} fields={keyFields} />
      <FaultSummary faults={passwordFaults} fields={passwordFields} />
      <FaultSummary faults={deletionFaults} fields={deletionFields} />
      <section aria-labelledby="keys">
        <h2 id="keys">API keys</h2>
        <p class="quiet">
          A key lets a program use the API in your name, as far as you allow it and never further than your role.
        </p>
        <KeyList basePath={basePath} viewer={viewer} keys={keys} formats={formats} />
        <details class="new" open={newKey !== undefined || (keys.length === 0 && !faulty)}>
          <summary class="button">New API key</summary>
          <KeyForm
            basePath={basePath}
            csrf={viewer.csrf}
            name={newKey?.name ?? ''}
            chosen={newKey?.scopes ?? new Set<string>(props.presets.read)}
            legacyObjects={newKey?.legacyObjects ?? false}
            faults={newKey?.faults ?? {}}
            grantable={props.grantable}
            presets={props.presets}
          />
        </details>
      </section>
      <section aria-labelledby="applications">
        <h2 id="applications">Connected applications</h2>
        <ConnectionList basePath={basePath} viewer={viewer} connections={connections} formats={formats} />
      </section>
      <section aria-labelledby="change-password">
        <h2 id="change-password">Password</h2>
        <p class="quiet">
          A new password signs you out everywhere else and ends the access of connected applications. API keys stay.
        </p>
        <div class="card">
          <PasswordForm basePath={basePath} viewer={viewer} username={props.username} faults={passwordFaults} />
        </div>
      </section>
      {!props.isOwner && (
        <section aria-labelledby="delete-account">
          <h2 id="delete-account">Delete my account</h2>
          <DeleteAccountForm basePath={basePath} csrf={viewer.csrf} username={props.username} faults={deletionFaults} />
        </section>
      )}
    </Layout>
  )
}
