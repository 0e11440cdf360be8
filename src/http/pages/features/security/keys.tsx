import { describeScope, grantableScopes, presetScopes, type Scope } from '../../../../access/scopes.ts'
import type { KeyService } from '../../../../domain/credentials/service.ts'
import type { Connection } from '../../../../domain/oauth/service.ts'
import { CopiedLine } from '../../components/copyable.tsx'
import { Boxes, DangerForm, formFields, PostForm } from '../../components/forms.tsx'
import { ScopeChoices } from '../../components/scope-choices.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import { type Faults, formSpecs, type Typed } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'

function ScopeList({ scopes }: { scopes: readonly Scope[] }) {
  return (
    <details class="scopes">
      <summary class="fold">{scopes.length === 1 ? 'One permission' : `${scopes.length} permissions`}</summary>
      <ul>
        {scopes.map((scope) => (
          <li key={scope}>
            {describeScope(scope)} <code>{scope}</code>
          </li>
        ))}
      </ul>
    </details>
  )
}

export function LastUsed({ at, formats }: { at: string | null; formats: Formats }) {
  return at === null ? (
    <>never used</>
  ) : (
    <>
      last used <time dateTime={at}>{formats.moment(at)}</time>
    </>
  )
}

export function KeyList({ basePath, viewer, keys, formats }: Frame & { keys: ReturnType<KeyService['listOf']> }) {
  if (keys.length === 0) return <p>You have no API keys.</p>
  return (
    <ul class="cards">
      {keys.map(({ id, name, scopes, legacyObjects, createdAt, lastUsedAt }) => (
        <li key={id} class="card">
          <h3>{name}</h3>
          <p class="quiet">
            Created <time dateTime={createdAt}>{formats.moment(createdAt)}</time>,{' '}
            <LastUsed at={lastUsedAt} formats={formats} />
            {legacyObjects && ', for a program made for AirTrail'}
          </p>
          <div class="folds">
            <ScopeList scopes={scopes} />
            <DangerForm
              action={`${basePath}/settings/security/keys/${id}/delete`}
              csrf={viewer.csrf}
              summary={
                <>
                  Delete<span class="unseen"> the key {name}</span>
                </>
              }
              button="Delete this key"
            >
              <p>Programs that use this key stop working immediately.</p>
            </DangerForm>
          </div>
        </li>
      ))}
    </ul>
  )
}

export const keySpecs = formSpecs({
  name: {
    id: 'key-name',
    label: 'Name',
    hint: 'What uses it, so you can recognise it later.',
    required: true,
    maxLength: 200,
  },
  scope: { id: 'scopes', label: 'Permissions', kind: 'boxes' },
  airtrail: { id: 'airtrail', label: 'For a program made for AirTrail', kind: 'box' },
})

export type KeyEntries = Typed<typeof keySpecs>

interface KeyFormProps extends Frame {
  /** Identifies the form, so that reloading the page of a new key does not create another one. */
  once: string
  entries: KeyEntries | undefined
  faults: Faults
}

export function KeyForm({ once, basePath, viewer, faults, ...props }: KeyFormProps) {
  const page = `${basePath}/settings/security`
  const readOnly = presetScopes('read', viewer.permissions)
  const { entries = { name: '', scope: readOnly, airtrail: false } } = props
  const field = formFields(keySpecs, entries, faults)
  return (
    <PostForm action={`${page}/keys`} csrf={viewer.csrf} hidden={{ once }} submit="Create key">
      {field('name')}
      <Boxes {...keySpecs.scope} fault={faults.scope}>
        <p class="presets">
          <span class="quiet">Select</span>{' '}
          <a href={`${page}?preset=read#key-name`} data-preset={readOnly.join(' ')}>
            read only
          </a>{' '}
          <span class="quiet">or</span>{' '}
          <a href={`${page}?preset=all#key-name`} data-preset={presetScopes('all', viewer.permissions).join(' ')}>
            full access
          </a>
          <span class="quiet">, then adjust.</span>
        </p>
        <ScopeChoices offered={grantableScopes(viewer.permissions)} chosen={new Set(entries.scope)} />
      </Boxes>
      {field('airtrail', {
        words: (
          <>
            {keySpecs.airtrail.label}{' '}
            <span class="quiet">that uses the legacy API: responses contain airline and aircraft as objects</span>
          </>
        ),
      })}
    </PostForm>
  )
}

interface CreatedProps extends Frame {
  baseUrl: string
  created: { name: string; key: string; scopes: readonly Scope[] }
}

/** The only page that ever shows a key. */
export function KeyCreatedPage({ baseUrl, created, ...frame }: CreatedProps) {
  return (
    <Layout {...frame} title="Your new API key – Paxlog" place="security" below narrow>
      <div class="card">
        <h1>Your new API key</h1>
        <p>
          Copy the key <strong dir="auto">{created.name}</strong> now. It is shown only once.
        </p>
        <CopiedLine id="key" text={created.key} />
        <p class="quiet" role="status" id="copied" />
        <p class="quiet">Programs send it in a header, for example:</p>
        <pre>
          <code>{`curl -H "Authorization: Bearer $KEY" ${baseUrl}/api/v1/me`}</code>
        </pre>
        <ScopeList scopes={created.scopes} />
        <p>
          <a class="button primary" href={`${frame.basePath}/settings/security`}>
            I have copied it
          </a>
        </p>
      </div>
    </Layout>
  )
}

export function ConnectionList({ basePath, viewer, connections, formats }: Frame & { connections: Connection[] }) {
  if (connections.length === 0) return <p>No applications are connected to your account.</p>
  return (
    <ul class="cards">
      {connections.map(({ id, name, redirectHost, resource, scopes, approvedAt, lastUsedAt }) => (
        <li key={id} class="card">
          <h3>{name}</h3>
          <p class="quiet">
            Returns to <strong>{redirectHost}</strong>, uses <code>{resource}</code>
            <br />
            Approved <time dateTime={approvedAt}>{formats.moment(approvedAt)}</time>,{' '}
            <LastUsed at={lastUsedAt} formats={formats} />
          </p>
          <div class="folds">
            <ScopeList scopes={scopes} />
            <DangerForm
              action={`${basePath}/settings/security/apps/${id}/revoke`}
              csrf={viewer.csrf}
              summary={
                <>
                  Disconnect<span class="unseen"> {name}</span>
                </>
              }
              button="Disconnect this application"
            >
              <p>The application loses access immediately. It can ask for access again.</p>
            </DangerForm>
          </div>
        </li>
      ))}
    </ul>
  )
}
