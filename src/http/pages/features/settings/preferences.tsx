import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../../access/caller.ts'
import { Preferences } from '../../../../domain/preferences/contract.ts'
import { languageNames, languages } from '../../../../lib/languages.ts'
import { ErrorSummary } from '../../components/fields.tsx'
import { formFields, PostForm } from '../../components/forms.tsx'
import { Pairs } from '../../components/lists.tsx'
import { assets } from '../../framework/assets.ts'
import type { PageContext } from '../../framework/context.ts'
import { type FieldErrors, type FieldSpecs, readForm, submit } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { changeLanguage, useScriptTexts, useTexts } from '../../framework/localization.ts'
import { signedInPages, type Visit } from '../../framework/signed-in.ts'
import type { PageTexts } from '../../texts/languages.ts'

const PATH = '/settings/preferences'

type Name = keyof Preferences

/** Ensures that the catalogue has every choice. The names of languages are not translated. */
type Labels = {
  [Key in Name]: { label: string; choices: Record<Key extends 'language' ? 'auto' : Preferences[Key], string> }
}

const groups: { group: keyof PageTexts['settings']['preferences']['groups']; names: readonly Name[] }[] = [
  {
    group: 'pages',
    names: ['language', 'theme', 'dateFormat', 'timeFormat', 'flightTimeDisplay', 'distanceUnit', 'weekStartsOn'],
  },
  { group: 'applications', names: ['windSpeedUnit', 'temperatureUnit', 'pressureUnit'] },
]

const languageOptions = languages.map((value) => ({ value, label: languageNames[value] }))

const preferenceSpecs = (labels: Labels): FieldSpecs =>
  Object.fromEntries(
    Object.entries(labels).map(([name, { label, choices }]) => {
      const options = Object.entries(choices).map(([value, text]) => ({ value, label: text }))
      return [
        name,
        { id: name, label, kind: 'select', options: name === 'language' ? [...options, ...languageOptions] : options },
      ]
    }),
  )

function Profile({ caller, basePath }: { caller: Caller; basePath: string }) {
  const t = useTexts().settings.preferences
  const { userId, username, displayName, permissions, isOwner, role } = caller
  return (
    <section class="card" aria-labelledby="profile">
      <h2 id="profile">{t.profile}</h2>
      <Pairs
        class="facts wide"
        pairs={[
          [t.name, <bdi key="name">{displayName}</bdi>],
          [t.username, username],
          [t.role, isOwner ? t.owner : <bdi key="role">{role?.name ?? t.noRole}</bdi>],
        ]}
      />
      {permissions.has('users.update') ? (
        <a class="standalone" href={`${basePath}/admin/users/${encodeURIComponent(userId)}`}>
          {t.changeName}
        </a>
      ) : (
        <p class="quiet">{t.nameHint}</p>
      )}
    </section>
  )
}

/** Per browser, so it needs a script. */
function OfflineSwitch() {
  const t = useTexts().offline
  return (
    <section class="card" aria-labelledby="offline">
      <h2 id="offline">{t.setting}</h2>
      <p class="quiet">{t.settingHint}</p>
      <p class="actions">
        <button type="button" hidden data-offline-switch data-texts={useScriptTexts('offline')} />
        <span class="quiet" role="status">
          {t.needs}
        </span>
      </p>
    </section>
  )
}

export async function preferencesPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, preferences, routes } = context
  const pages = signedInPages(app, context)
  // A service worker and `Clear-Site-Data` concern all programs of an origin.
  const hasOffline = basePath === ''

  function page({ caller, frame, texts }: Visit, chosen: Record<string, string>, fieldErrors: FieldErrors = {}) {
    const t = texts.settings.preferences
    const specs = preferenceSpecs(t.fields)
    const field = formFields(specs, chosen, fieldErrors)
    return (
      <Layout
        {...frame}
        title={t.title}
        fieldErrors={fieldErrors}
        place="preferences"
        scripts={hasOffline ? [assets.offlineSwitch] : []}
      >
        <h1>{t.title}</h1>
        <p class="quiet">{t.introduction}</p>
        <Profile caller={caller} basePath={basePath} />
        <ErrorSummary fieldErrors={fieldErrors} fields={specs} />
        <PostForm action={basePath + PATH} csrf={frame.viewer.csrf} submit={t.save} plain>
          {groups.map(({ group, names }) => (
            <fieldset key={group} class="card">
              <legend class="unseen">{t.groups[group].title}</legend>
              <h2>{t.groups[group].title}</h2>
              <p class="quiet">{t.groups[group].hint}</p>
              <div class="pairs">{names.map((name) => field(name))}</div>
            </fieldset>
          ))}
        </PostForm>
        {hasOffline && <OfflineSwitch />}
      </Layout>
    )
  }

  pages.get(PATH, (visit) => visit.send(page(visit, preferences.of(visit.caller.userId))))

  const save = (visit: Visit, chosen: Record<string, string>, done: (saved: PageTexts) => unknown) =>
    submit({
      texts: visit.texts,
      schema: Preferences,
      body: chosen,
      work: (body) => preferences.update(visit.caller, body),
      again: ({ status, fieldErrors }) => visit.send(page(visit, chosen, fieldErrors), status),
      done: ({ language }) => done(changeLanguage(visit.request, language).texts),
    })

  /** The switches outside of the settings. */
  for (const name of ['theme', 'language'] as const) {
    pages.post(`/settings/${name}`, (visit) => {
      const { caller, form, reply } = visit
      const chosen = { ...preferences.of(caller.userId), [name]: form.get(name) ?? '' }
      return save(visit, chosen, () => reply.redirect(routes.samePage(form.get('next')), 303))
    })
  }

  pages.post(PATH, (visit) => {
    const specs = preferenceSpecs(visit.texts.settings.preferences.fields)
    const chosen = readForm(specs, visit.form) as Record<string, string>
    return save(visit, chosen, ({ settings }) => visit.back(PATH, settings.preferences.saved))
  })
}
