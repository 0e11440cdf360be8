import { grantableScopes, presetScopes, type Scope, scopePresets } from '../../../../access/scopes.ts'
import type { KeyService } from '../../../../domain/credentials/service.ts'
import type { Connection } from '../../../../domain/oauth/service.ts'
import { CopiedLine } from '../../components/copyable.tsx'
import { Choice } from '../../components/fields.tsx'
import { Boxes, DangerForm, formFields, PostForm } from '../../components/forms.tsx'
import { ScopeChoices } from '../../components/scope-choices.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import { type FieldErrors, type FormValues, formSpecs } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import type { PageTexts } from '../../texts/languages.ts'

type SecurityTexts = PageTexts['security']

export const unseen = (text: string) => <span class="unseen">{text}</span>

/** The elements and values of messages with two times. */
export const timesOf = (first: string, last: string, formats: Formats) => ({
  firstAt: formats.moment(first),
  first: (text: string) => <time dateTime={first}>{text}</time>,
  lastAt: formats.moment(last),
  last: (text: string) => <time dateTime={last}>{text}</time>,
})

interface DatesProps {
  texts: SecurityTexts['keyDates'] | SecurityTexts['passkeyDates']
  first: string
  last: string | null
  formats: Formats
}

export function Dates({ texts, first, last, formats }: DatesProps) {
  return <>{last === null ? texts.unused(timesOf(first, first, formats)) : texts.used(timesOf(first, last, formats))}</>
}

function ScopeList({ scopes }: { scopes: readonly Scope[] }) {
  const texts = useTexts()
  const t = texts.security
  return (
    <details class="scopes">
      <summary class="fold">{t.permissionCount({ count: scopes.length })}</summary>
      <ul>
        {scopes.map((scope) => (
          <li key={scope}>
            {texts.messages.scopes[scope]} <code>{scope}</code>
          </li>
        ))}
      </ul>
    </details>
  )
}

export function LastUsed({ at, formats }: { at: string | null; formats: Formats }) {
  const t = useTexts().security
  if (at === null) return <>{t.neverUsed}</>
  return <>{t.lastUsed({ at: formats.moment(at), time: (text) => <time dateTime={at}>{text}</time> })}</>
}

export function KeyList({ basePath, viewer, keys, formats }: Frame & { keys: ReturnType<KeyService['listOf']> }) {
  const t = useTexts().security
  if (keys.length === 0) return <p class="card empty">{t.noKeys}</p>
  return (
    <ul class="cards">
      {keys.map(({ id, name, scopes, legacyObjects, createdAt, lastUsedAt }) => (
        <li key={id} class="card">
          <h3>{name}</h3>
          <p class="quiet">
            <Dates
              texts={legacyObjects ? t.airTrailKeyDates : t.keyDates}
              first={createdAt}
              last={lastUsedAt}
              formats={formats}
            />
          </p>
          <div class="folds">
            <ScopeList scopes={scopes} />
            <DangerForm
              action={`${basePath}/settings/security/keys/${id}/delete`}
              csrf={viewer.csrf}
              summary={t.deleteKey({ name, unseen })}
              button={t.deleteThisKey}
            >
              <p>{t.deleteKeyWarning}</p>
            </DangerForm>
          </div>
        </li>
      ))}
    </ul>
  )
}

export const keySpecs = (t: SecurityTexts) =>
  formSpecs({
    name: {
      id: 'key-name',
      label: t.keyName,
      hint: t.keyNameHint,
      required: true,
      maxLength: 200,
    },
    preset: { id: 'preset', label: t.permissions },
    scope: { id: 'scopes', label: t.permissions, kind: 'boxes' },
    airtrail: { id: 'airtrail', label: t.airTrail, kind: 'box' },
  })

export type KeyEntries = FormValues<ReturnType<typeof keySpecs>>

interface KeyFormProps extends Frame {
  /** Identifies the form, so that reloading the page of a new key does not create another one. */
  once: string
  entries: KeyEntries | undefined
  fieldErrors: FieldErrors
}

/** The style sheet shows the list of permissions only with the last choice, so that visible choices always apply. */
const presetNames = [...scopePresets, 'list'] as const

export function KeyForm({ once, basePath, viewer, fieldErrors, ...props }: KeyFormProps) {
  const t = useTexts().security
  const specs = keySpecs(t)
  const { entries = { name: '', preset: 'read', scope: presetScopes('read', viewer.permissions), airtrail: false } } =
    props
  const field = formFields(specs, entries, fieldErrors)
  return (
    <PostForm action={`${basePath}/settings/security/keys`} csrf={viewer.csrf} hidden={{ once }} submit={t.createKey}>
      {field('name')}
      <Boxes {...specs.scope} fieldError={fieldErrors.scope}>
        <div class="presets">
          {presetNames.map((name) => (
            <Choice key={name} type="radio" name="preset" value={name} checked={(entries.preset || 'list') === name}>
              {t.presets[name]({ quiet: (text) => <span class="quiet">{text}</span> })}
            </Choice>
          ))}
        </div>
        <ScopeChoices offered={grantableScopes(viewer.permissions)} chosen={new Set(entries.scope)} />
      </Boxes>
      {field('airtrail', { words: t.airTrailChoice({ quiet: (text) => <span class="quiet">{text}</span> }) })}
    </PostForm>
  )
}

interface CreatedProps extends Frame {
  baseUrl: string
  created: { name: string; key: string; scopes: readonly Scope[] }
}

/** The only page that ever shows a key. */
export function KeyCreatedPage({ baseUrl, created, ...frame }: CreatedProps) {
  const t = useTexts().security
  return (
    <Layout {...frame} title={t.keyCreated} place="security" below narrow>
      <div class="card">
        <h1>{t.keyCreated}</h1>
        <p>{t.copyKeyNow({ key: created.name, name: (text) => <strong dir="auto">{text}</strong> })}</p>
        <CopiedLine id="key" text={created.key} />
        <p class="quiet" role="status" id="copied" />
        <p class="quiet">{t.keyUse}</p>
        <pre>
          <code>{`curl -H "Authorization: Bearer $KEY" ${baseUrl}/api/v1/me`}</code>
        </pre>
        <ScopeList scopes={created.scopes} />
        <p>
          <a class="button primary" href={`${frame.basePath}/settings/security`}>
            {t.copied}
          </a>
        </p>
      </div>
    </Layout>
  )
}

export function ConnectionList({ basePath, viewer, connections, formats }: Frame & { connections: Connection[] }) {
  const t = useTexts().security
  if (connections.length === 0) return <p>{t.noApplications}</p>
  return (
    <ul class="cards">
      {connections.map(({ id, name, redirectHost, resource, scopes, approvedAt, lastUsedAt }) => (
        <li key={id} class="card">
          <h3>{name}</h3>
          <p class="quiet">
            {t.applicationUses({
              redirectHost,
              host: (text) => <strong>{text}</strong>,
              resource,
              address: (text) => <code>{text}</code>,
            })}
            <br />
            <Dates texts={t.applicationDates} first={approvedAt} last={lastUsedAt} formats={formats} />
          </p>
          <div class="folds">
            <ScopeList scopes={scopes} />
            <DangerForm
              action={`${basePath}/settings/security/apps/${id}/revoke`}
              csrf={viewer.csrf}
              summary={t.disconnect({ name, unseen })}
              button={t.disconnectThis}
            >
              <p>{t.disconnectWarning}</p>
            </DangerForm>
          </div>
        </li>
      ))}
    </ul>
  )
}
