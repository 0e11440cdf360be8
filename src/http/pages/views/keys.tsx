import { type Scope, sentenceOf } from '../../../access/scopes.ts'
import type { KeyService } from '../../../domain/credentials/service.ts'
import type { Viewer } from '../context.ts'
import type { Formats } from '../formats.ts'
import { Choice, type Faults, Field, Hidden } from './fields.tsx'
import { ScopeChoices } from './scope-choices.tsx'

/** What a credential may do, in words, folded away until somebody asks. */
export function ScopeList({ scopes }: { scopes: readonly Scope[] }) {
  return (
    <details class="scopes">
      <summary class="fold">{scopes.length === 1 ? 'One permission' : `${scopes.length} permissions`}</summary>
      <ul>
        {scopes.map((scope) => (
          <li key={scope}>
            {sentenceOf(scope)} <code>{scope}</code>
          </li>
        ))}
      </ul>
    </details>
  )
}

interface KeyListProps {
  basePath: string
  viewer: Viewer
  keys: ReturnType<KeyService['listOf']>
  formats: Formats
}

export function Used({ at, formats }: { at: string | null; formats: Formats }) {
  return at === null ? (
    <>never used</>
  ) : (
    <>
      last used <time dateTime={at}>{formats.moment(at)}</time>
    </>
  )
}

export function KeyList({ basePath, viewer, keys, formats }: KeyListProps) {
  if (keys.length === 0) return <p>You have no API keys.</p>
  return (
    <ul class="cards">
      {keys.map(({ id, name, scopes, legacyObjects, createdAt, lastUsedAt }) => (
        <li key={id} class="card">
          <h3>{name}</h3>
          <p class="quiet">
            Created <time dateTime={createdAt}>{formats.moment(createdAt)}</time>,{' '}
            <Used at={lastUsedAt} formats={formats} />
            {legacyObjects && ', for a program made for AirTrail'}
          </p>
          <div class="folds">
            <ScopeList scopes={scopes} />
            <details class="danger">
              <summary class="fold bad">
                Delete<span class="unseen"> the key {name}</span>
              </summary>
              <form method="post" action={`${basePath}/settings/security/keys/${id}/delete`}>
                <Hidden csrf={viewer.csrf} />
                <p>Whatever uses this key stops working at once.</p>
                <button class="danger" type="submit">
                  Delete this key
                </button>
              </form>
            </details>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** What was typed into the form of a new key. */
export interface NewKey {
  name: string
  scopes: ReadonlySet<string>
  legacyObjects?: boolean
  faults?: Faults
}

interface KeyFormProps {
  basePath: string
  csrf: string
  name: string
  chosen: ReadonlySet<string>
  legacyObjects: boolean
  faults: Faults
  grantable: readonly Scope[]
  presets: { read: readonly Scope[]; all: readonly Scope[] }
}

export const keyFields = {
  name: { id: 'key-name', label: 'Name' },
  scope: { id: 'scopes', label: 'What it may do' },
}

export function KeyForm({ basePath, csrf, name, chosen, legacyObjects, faults, grantable, presets }: KeyFormProps) {
  const page = `${basePath}/settings/security`
  return (
    <form method="post" action={`${page}/keys`} noValidate class="card">
      <Hidden csrf={csrf} />
      <Field
        {...keyFields.name}
        name="name"
        fault={faults.name}
        hint="What uses it, so that you know it again later."
        input={{ type: 'text', value: name, required: true, maxLength: 200, autocomplete: 'off' }}
      />
      <fieldset id="scopes" tabIndex={-1} aria-describedby={faults.scope ? 'scopes-fault' : undefined}>
        <legend>What it may do</legend>
        {faults.scope && (
          <p class="fault" id="scopes-fault">
            {faults.scope}
          </p>
        )}
        <p class="presets">
          <span class="quiet">Choose</span>{' '}
          <a href={`${page}?preset=read#key-name`} data-preset={presets.read.join(' ')}>
            read only
          </a>{' '}
          <span class="quiet">or</span>{' '}
          <a href={`${page}?preset=all#key-name`} data-preset={presets.all.join(' ')}>
            full access
          </a>
          <span class="quiet">, and change single ones as you like.</span>
        </p>
        <ScopeChoices offered={grantable} chosen={chosen} />
      </fieldset>
      <Choice name="airtrail" value="on" checked={legacyObjects}>
        For a program made for AirTrail{' '}
        <span class="quiet">that uses the older API: airline and aircraft are objects in its answers</span>
      </Choice>
      <button class="primary" type="submit">
        Create the key
      </button>
    </form>
  )
}
