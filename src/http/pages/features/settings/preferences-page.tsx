import type { Caller } from '../../../../access/caller.ts'
import type { Preferences } from '../../../../domain/preferences/contract.ts'
import { FaultSummary } from '../../components/fields.tsx'
import { formFields, PostForm } from '../../components/forms.tsx'
import { Pairs } from '../../components/lists.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Faults, FieldSpecs } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'

type Name = keyof Preferences

/** What each choice is called, in the order of the contract. */
const words: { [Key in Name]: { label: string; choices: Record<Preferences[Key], string> } } = {
  distanceUnit: { label: 'Distances', choices: { km: 'Kilometres', mi: 'Miles', nm: 'Nautical miles' } },
  windSpeedUnit: {
    label: 'Wind',
    choices: { kt: 'Knots', mph: 'Miles per hour', kmh: 'Kilometres per hour', ms: 'Metres per second' },
  },
  temperatureUnit: { label: 'Temperature', choices: { c: 'Celsius', f: 'Fahrenheit' } },
  pressureUnit: { label: 'Air pressure', choices: { hpa: 'Hectopascal', inhg: 'Inches of mercury' } },
  timeFormat: {
    label: 'Clock',
    choices: { auto: 'As my browser says', '12h': '12 hours: 2:05 pm', '24h': '24 hours: 14:05' },
  },
  dateFormat: {
    label: 'Dates',
    choices: { auto: 'In words: 3 May 2025', iso: '2025-05-03', us: '05/03/2025', eu: '03.05.2025' },
  },
  weekStartsOn: {
    label: 'First day of the week',
    choices: { auto: 'As my browser says', mon: 'Monday', sun: 'Sunday' },
  },
  flightTimeDisplay: {
    label: 'Times of flights',
    choices: { airport: 'Local time at the airport', utc: 'UTC', system: 'The time zone of my device' },
  },
}

const groups: { title: string; hint: string; names: readonly Name[] }[] = [
  {
    title: 'On these pages',
    hint: 'How your log is shown to you here.',
    names: ['dateFormat', 'timeFormat', 'flightTimeDisplay', 'distanceUnit', 'weekStartsOn'],
  },
  {
    title: 'In applications',
    hint: 'Kept for the applications that you connect.',
    names: ['windSpeedUnit', 'temperatureUnit', 'pressureUnit'],
  },
]

interface Props extends Frame {
  caller: Caller
  chosen: Readonly<Record<string, string>>
  faults: Faults
}

export const preferenceSpecs: FieldSpecs = Object.fromEntries(
  Object.entries(words).map(([name, { label, choices }]) => [
    name,
    {
      id: name,
      label,
      kind: 'select',
      options: Object.entries(choices).map(([value, text]) => ({ value, label: text })),
    },
  ]),
)

/** Who one is here. */
function Profile({ caller, basePath }: Pick<Props, 'caller' | 'basePath'>) {
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
        <p class="quiet">Whoever looks after the accounts can change your name.</p>
      )}
    </section>
  )
}

export function PreferencesPage({ caller, chosen, faults, ...frame }: Props) {
  const { basePath, viewer } = frame
  const field = formFields(preferenceSpecs, chosen, faults)
  return (
    <Layout {...frame} title="Preferences – Paxlog" faults={faults} place="preferences">
      <h1>Preferences</h1>
      <p class="quiet">The API always speaks of kilometres, seconds and UTC.</p>
      <Profile caller={caller} basePath={basePath} />
      <FaultSummary faults={faults} fields={preferenceSpecs} />
      <PostForm action={`${basePath}/settings/preferences`} csrf={viewer.csrf} submit="Save" plain>
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
