import type { Permission } from '../../../access/permissions.ts'
import { ButtonForm } from '../components/forms.tsx'
import type { Viewer } from './context.ts'
import { useTexts } from './localization.ts'

type Group = 'main' | 'settings' | 'administration' | 'menu'

/** Any of the permissions is enough. */
const page = (group: Group, path: string, ...anyOf: Permission[]) => ({ group, path, anyOf })

const REFERENCE_PERMISSIONS = ['data.airports.manage', 'data.airlines.manage', 'data.aircraft.manage'] as const

/** All pages of the navigation, in its order. */
const places = {
  home: page('main', '/'),
  map: page('main', '/map', 'flight.read.own'),
  statistics: page('main', '/statistics', 'flight.read.own'),
  countries: page('main', '/countries', 'flight.read.own'),
  preferences: page('settings', '/settings/preferences'),
  shares: page('settings', '/settings/shares', 'flight.share.own'),
  calendar: page('settings', '/settings/calendar', 'flight.read.own'),
  security: page('settings', '/settings/security'),
  ownActivity: page('settings', '/settings/activity'),
  users: page('administration', '/admin/users', 'users.create', 'users.update', 'users.delete'),
  roles: page('administration', '/admin/roles', 'roles.manage'),
  customFields: page('administration', '/admin/custom-fields', 'custom_fields.manage'),
  reference: page('administration', '/admin/reference', ...REFERENCE_PERMISSIONS),
  activity: page('administration', '/admin/activity', 'users.update'),
  docs: page('menu', '/docs'),
}

export type Place = keyof typeof places

interface Props {
  basePath: string
  viewer: Viewer
  place?: Place | undefined
  /** The page is a child of its place. */
  below?: boolean | undefined
}

type Entry = ReturnType<typeof page> & { name: Place }

const entries = Object.entries(places).map(([name, entry]) => ({ ...entry, name: name as Place }))

function entriesOf(group: Group, permissions: Viewer['permissions']): Entry[] {
  const isAllowed = ({ anyOf }: Entry) => anyOf.length === 0 || anyOf.some((name) => permissions.has(name))
  return entries.filter((entry) => entry.group === group && isAllowed(entry))
}

const icons: Partial<Record<Place, string>> = {
  home: 'M21 3c-1-1-2.6-.7-3.6.3L14 6.7 4.6 4.4 3 6l7.6 4-3.4 3.4-2.6-.3L3 14.7l3.6 2.7L9.3 21l1.6-1.6-.3-2.6 3.4-3.4 4 7.6 1.6-1.6L17.3 10l3.4-3.4C21.7 5.6 22 4 21 3Z',
  map: 'm3 6 6-3 6 3 6-3v15l-6 3-6-3-6 3ZM9 3v15m6-12v15',
  statistics: 'M4 21V11h4v10m2 0V3h4v18m2 0v-7h4v7M2 21h20',
  countries: 'M12 2a10 10 0 1 0 0 20 10 10 0 1 0 0-20ZM2 12h20M12 2c-6 6-6 14 0 20 6-6 6-14 0-20Z',
}

const Icon = ({ path }: { path: string }) => (
  <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false">
    <path d={path} />
  </svg>
)

interface LinkProps extends Omit<Props, 'viewer'> {
  entry: Entry
  /** Names and highlights the whole group instead of its page. */
  isGroup?: boolean
}

function PlaceLink({ entry: { name, path, group }, basePath, place, below, isGroup = false }: LinkProps) {
  const { groups, places: labels } = useTexts().navigation
  const isCurrent = name === place || (isGroup && place !== undefined && group === places[place].group)
  const current = name === place && !below ? 'page' : 'true'
  const icon = icons[name]
  return (
    <a href={basePath + path} {...(isCurrent && { 'aria-current': current })}>
      {icon && <Icon path={icon} />}
      {isGroup ? groups[group] : labels[name]}
    </a>
  )
}

/** At the top of the page, and on a phone at the bottom. */
export function MainNavigation({ viewer: { permissions }, ...here }: Props) {
  const t = useTexts().navigation
  const items = entriesOf('main', permissions).map((entry) => (
    <li key={entry.name}>
      <PlaceLink entry={entry} {...here} />
    </li>
  ))
  const middle = Math.ceil(items.length / 2)
  const [administration] = entriesOf('administration', permissions)
  return (
    <nav aria-label={t.groups.main}>
      <ul class="bar">
        {items.slice(0, middle)}
        {permissions.has('flight.create.own') && (
          <li class="add">
            <a href={`${here.basePath}/flights/new`} aria-label={t.addFlight}>
              <Icon path="M12 4v16M4 12h16" />
            </a>
          </li>
        )}
        {items.slice(middle)}
        {administration && (
          <li class="wide-only">
            <PlaceLink entry={administration} isGroup {...here} />
          </li>
        )}
      </ul>
    </nav>
  )
}

/** On a phone it includes the administration, for which the bar has no room. */
export function AccountMenu({ viewer: { name, csrf, permissions }, ...here }: Props) {
  const t = useTexts().navigation
  const [settings] = entriesOf('settings', permissions)
  const [administration] = entriesOf('administration', permissions)
  return (
    <details class="menu account">
      <summary>
        {t.accountOf({
          name,
          unseen: (text) => <span class="unseen">{text}</span>,
          shown: (text) => <bdi>{text}</bdi>,
        })}
      </summary>
      <nav class="card" aria-label={t.groups.menu}>
        {settings && <PlaceLink entry={settings} isGroup {...here} />}
        {entriesOf('menu', permissions).map((entry) => (
          <PlaceLink key={entry.name} entry={entry} {...here} />
        ))}
        {administration && (
          <span class="narrow-only">
            <PlaceLink entry={administration} isGroup {...here} />
          </span>
        )}
        <ButtonForm action={`${here.basePath}/logout`} csrf={csrf} class="plain">
          {t.signOut}
        </ButtonForm>
      </nav>
    </details>
  )
}

export const firstOf = (group: Group, permissions: Viewer['permissions']): string | undefined =>
  entriesOf(group, permissions)[0]?.path

export function GroupNavigation({ viewer, ...here }: Props) {
  const { groups } = useTexts().navigation
  const group = here.place && places[here.place].group
  if (group !== 'settings' && group !== 'administration') return null
  const pages = entriesOf(group, viewer.permissions)
  if (pages.length < 2) return null
  return (
    <nav class="group" aria-label={groups[group]}>
      <ul>
        {pages.map((entry) => (
          <li key={entry.name}>
            <PlaceLink entry={entry} {...here} />
          </li>
        ))}
      </ul>
    </nav>
  )
}
