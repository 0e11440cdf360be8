import { describeScope, type Scope } from '../../../../access/scopes.ts'
import type { KeyService } from '../../../../domain/credentials/service.ts'
import { Boxes, DangerForm, formFields, PostForm } from '../../components/forms.tsx'
import { ScopeChoices } from '../../components/scope-choices.tsx'
import type { Viewer } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import { type Faults, formSpecs, type Typed } from '../../framework/forms.ts'

/** What a credential may do, in words, folded away until somebody asks. */
export function ScopeList({ scopes }: { scopes: readonly Scope[] }) {
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
              <p>Whatever uses this key stops working at once.</p>
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
    hint: 'What uses it, so that you know it again later.',
    required: true,
    maxLength: 200,
  },
  scope: { id: 'scopes', label: 'What it may do', kind: 'boxes' },
  airtrail: { id: 'airtrail', label: 'For a program made for AirTrail', kind: 'box' },
})

/** What was typed into the form of a new key. */
export type KeyEntries = Typed<typeof keySpecs>

interface KeyFormProps {
  /** Sent once: loading the page of a new key again does not make another one. */
  once: string
  basePath: string
  csrf: string
  entries: KeyEntries
  faults: Faults
  grantable: readonly Scope[]
  presets: { read: readonly Scope[]; all: readonly Scope[] }
}

export function KeyForm({ once, basePath, csrf, entries, faults, grantable, presets }: KeyFormProps) {
  const page = `${basePath}/settings/security`
  const field = formFields(keySpecs, entries, faults)
  return (
    <PostForm action={`${page}/keys`} csrf={csrf} hidden={{ once }} submit="Create the key">
      {field('name')}
      <Boxes {...keySpecs.scope} fault={faults.scope}>
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
        <ScopeChoices offered={grantable} chosen={new Set(entries.scope)} />
      </Boxes>
      {field('airtrail', {
        words: (
          <>
            {keySpecs.airtrail.label}{' '}
            <span class="quiet">that uses the older API: airline and aircraft are objects in its answers</span>
          </>
        ),
      })}
    </PostForm>
  )
}
