import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../../access/caller.ts'
import { Preferences } from '../../../../domain/preferences/contract.ts'
import { FaultSummary } from '../../components/fields.tsx'
import { formFields, PostForm } from '../../components/forms.tsx'
import { Pairs } from '../../components/lists.tsx'
import type { PageContext } from '../../framework/context.ts'
import { type Faults, type FieldSpecs, readForm, submit } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { signedInPages, type Visit } from '../../framework/signed-in.ts'

const PATH = '/settings/preferences'

type Name = keyof Preferences

const labels: { [Key in Name]: { label: string; choices: Record<Preferences[Key], string> } } = {
  distanceUnit: { label: 'Distances', choices: { km: 'Kilometres', mi: 'Miles', nm: 'Nautical miles' } },
  windSpeedUnit: {
    label: 'Wind',
    choices: { kt: 'Knots', mph: 'Miles per hour', kmh: 'Kilometres per hour', ms: 'Metres per second' },
  },
  temperatureUnit: { label: 'Temperature', choices: { c: 'Celsius', f: 'Fahrenheit' } },
  pressureUnit: { label: 'Air pressure', choices: { hpa: 'Hectopascal', inhg: 'Inches of mercury' } },
  timeFormat: {
    label: 'Time format',
    choices: { auto: 'Browser default', '12h': '12 hours: 2:05 pm', '24h': '24 hours: 14:05' },
  },
  dateFormat: {
    label: 'Date format',
    choices: { auto: 'In words: 3 May 2025', iso: '2025-05-03', us: '05/03/2025', eu: '03.05.2025' },
  },
  weekStartsOn: {
    label: 'First day of the week',
    choices: { auto: 'Browser default', mon: 'Monday', sun: 'Sunday' },
  },
  flightTimeDisplay: {
    label: 'Flight times',
    choices: { airport: 'Local time at the airport', utc: 'UTC', system: 'Time zone of this device' },
  },
}

const groups: { title: string; hint: string; names: readonly Name[] }[] = [
  {
    title: 'On these pages',
    hint: 'How Paxlog shows your flights.',
    names: ['dateFormat', 'timeFormat', 'flightTimeDisplay', 'distanceUnit', 'weekStartsOn'],
  },
  {
    title: 'In applications',
    hint: 'Stored for connected applications.',
    names: ['windSpeedUnit', 'temperatureUnit', 'pressureUnit'],
  },
]

const preferenceSpecs: FieldSpecs = Object.fromEntries(
  Object.entries(labels).map(([name, { label, choices }]) => [
    name,
    {
      id: name,
      label,
      kind: 'select',
      options: Object.entries(choices).map(([value, text]) => ({ value, label: text })),
    },
  ]),
)

function Profile({ caller, basePath }: { caller: Caller; basePath: string }) {
  const { userId, username, displayName, permissions, isOwner, role } = caller
  return (
    <section class="card" aria-labelledby="profile">
      <h2 id="profile">Profile</h2>
      <Pairs
        class="facts wide"
        pairs={[
          ['Name', <bdi key="name">{displayName}</bdi>],
          ['User name', username],
          ['Role', isOwner ? 'Owner of this instance' : <bdi key="role">{role?.name ?? 'none'}</bdi>],
        ]}
      />
      {permissions.has('users.update') ? (
        <a href={`${basePath}/admin/users/${encodeURIComponent(userId)}`}>Change your name</a>
      ) : (
        <p class="quiet">An administrator can change your name.</p>
      )}
    </section>
  )
}

export async function preferencesPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, preferences } = context
  const pages = signedInPages(app, context)

  function page({ caller, frame }: Visit, chosen: Record<string, string>, faults: Faults = {}) {
    const field = formFields(preferenceSpecs, chosen, faults)
    return (
      <Layout {...frame} title="Preferences – Paxlog" faults={faults} place="preferences">
        <h1>Preferences</h1>
        <p class="quiet">The API always uses kilometres, seconds and UTC.</p>
        <Profile caller={caller} basePath={basePath} />
        <FaultSummary faults={faults} fields={preferenceSpecs} />
        <PostForm action={basePath + PATH} csrf={frame.viewer.csrf} submit="Save" plain>
          {groups.map(({ title, hint, names }) => (
            <fieldset key={title} class="card">
              <legend class="unseen">{title}</legend>
              <h2>{title}</h2>
              <p class="quiet">{hint}</p>
              <div class="columns two">{names.map((name) => field(name))}</div>
            </fieldset>
          ))}
        </PostForm>
      </Layout>
    )
  }

  pages.get(PATH, (visit) => visit.send(page(visit, preferences.of(visit.caller.userId))))

  pages.post(PATH, (visit) => {
    const chosen = readForm(preferenceSpecs, visit.form) as Record<string, string>
    return submit({
      schema: Preferences,
      body: chosen,
      work: (body) => preferences.update(visit.caller, body),
      again: ({ status, faults }) => visit.send(page(visit, chosen, faults), status),
      done: () => visit.back(PATH, 'Your preferences were saved.'),
    })
  })
}
