import type { ComponentChildren } from 'preact'
import type { Permission } from '../../../access/permissions.ts'
import { ButtonForm } from '../components/forms.tsx'
import type { Viewer } from './context.ts'

interface Entry {
  path: string
  label: string
  /** Holding any of these is enough to be led there; without a list everybody is. */
  for?: readonly Permission[]
}

/**
 * Every page that the navigation leads to, in its order: those without a group stand in the bar, Administration with them;
 * Settings and what says so are in the menu under one's name.
 */
const places = {
  home: { path: '/', label: 'Flights' },
  map: { path: '/map', label: 'Map', for: ['flight.read.own'] },
  statistics: { path: '/statistics', label: 'Statistics', for: ['flight.read.own'] },
  countries: { path: '/countries', label: 'Countries', for: ['flight.read.own'] },
  preferences: { path: '/settings/preferences', label: 'Preferences', group: 'Settings' },
  shares: { path: '/settings/shares', label: 'Shares', group: 'Settings', for: ['flight.share.own'] },
  calendar: { path: '/settings/calendar', label: 'Calendar', group: 'Settings', for: ['flight.read.own'] },
  security: { path: '/settings/security', label: 'Security', group: 'Settings' },
  ownActivity: { path: '/settings/activity', label: 'Activity', group: 'Settings' },
  users: {
    path: '/admin/users',
    label: 'Users',
    group: 'Administration',
    for: ['users.create', 'users.update', 'users.delete'],
  },
  roles: { path: '/admin/roles', label: 'Roles', group: 'Administration', for: ['roles.manage'] },
  customFields: {
    path: '/admin/custom-fields',
    label: 'Custom fields',
    group: 'Administration',
    for: ['custom_fields.manage'],
  },
  reference: {
    path: '/admin/reference',
    label: 'Reference data',
    group: 'Administration',
    for: ['data.airports.manage', 'data.airlines.manage', 'data.aircraft.manage'],
  },
  activity: { path: '/admin/activity', label: 'Activity', group: 'Administration', for: ['users.update'] },
  docs: { path: '/docs', label: 'API', group: 'Menu' },
} as const satisfies Record<string, Entry & { group?: 'Settings' | 'Administration' | 'Menu' }>

export type Place = keyof typeof places

interface Props {
  basePath: string
  viewer: Viewer
  place?: Place | undefined
  /** Whether the page is only near its place. */
  below?: boolean | undefined
}

/** Read out with the entry that one is at, or that one is below of. */
const currentAt = (isPlace: boolean, below: boolean | undefined) =>
  ({ 'aria-current': isPlace && !below ? 'page' : 'true' }) as const

const groupOf = (entry: Entry & { group?: string }) => entry.group

function openTo(viewer: Pick<Viewer, 'permissions'>): [Place, Entry & { group?: string }][] {
  const entries = Object.entries(places) as [Place, Entry & { group?: string }][]
  return entries.filter(([, entry]) => entry.for?.some((name) => viewer.permissions.has(name)) ?? true)
}

/** Drawn on a phone, where the bar is at the bottom. */
const icons: Readonly<Record<string, string>> = {
  home: 'M21 3c-1-1-2.6-.7-3.6.3L14 6.7 4.6 4.4 3 6l7.6 4-3.4 3.4-2.6-.3L3 14.7l3.6 2.7L9.3 21l1.6-1.6-.3-2.6 3.4-3.4 4 7.6 1.6-1.6L17.3 10l3.4-3.4C21.7 5.6 22 4 21 3Z',
  map: 'm3 6 6-3 6 3 6-3v15l-6 3-6-3-6 3ZM9 3v15m6-12v15',
  statistics: 'M4 21V11h4v10m2 0V3h4v18m2 0v-7h4v7M2 21h20',
  countries: 'M12 2a10 10 0 1 0 0 20 10 10 0 1 0 0-20ZM2 12h20M12 2c-6 6-6 14 0 20 6-6 6-14 0-20Z',
}

interface LinkProps extends Omit<Props, 'viewer'> {
  name: Place
  entry: Entry & { group?: string }
  children?: ComponentChildren
}

/** A page, or a group by the first of its pages that is open to the viewer. */
function PlaceLink({ name, entry, basePath, place, below, children }: LinkProps) {
  const group = groupOf(entry)
  const ownGroup = place && groupOf(places[place])
  const isNear = name === place || (group !== undefined && group !== 'Menu' && ownGroup === group)
  return (
    <a href={basePath + entry.path} {...(isNear && currentAt(name === place, below))}>
      {children}
      {group === undefined || group === 'Menu' ? entry.label : group}
    </a>
  )
}

const Icon = ({ path }: { path: string }) => (
  <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false">
    <path d={path} />
  </svg>
)

/** In the middle of the bar of a phone. */
const AddLink = ({ basePath }: { basePath: string }) => (
  <li class="add">
    <a href={`${basePath}/flights/new`} aria-label="Add a flight">
      <Icon path="M12 4v16M4 12h16" />
    </a>
  </li>
)

/** The bar: at the top, and on a phone at the bottom. */
export function MainNavigation({ viewer, ...here }: Props) {
  const open = openTo(viewer)
  const pages = open.filter(([, entry]) => groupOf(entry) === undefined)
  const administration = open.find(([, entry]) => groupOf(entry) === 'Administration')
  const middle = Math.ceil(pages.length / 2)
  const mayAdd = viewer.permissions.has('flight.create.own')
  const items = pages.map(([name, entry]) => (
    <li key={name}>
      <PlaceLink name={name} entry={entry} {...here}>
        {icons[name] && <Icon path={icons[name]} />}
      </PlaceLink>
    </li>
  ))
  return (
    <nav aria-label="Main">
      <ul class="bar">
        {items.slice(0, middle)}
        {mayAdd && <AddLink basePath={here.basePath} />}
        {items.slice(middle)}
        {administration && (
          <li class="wide-only">
            <PlaceLink name={administration[0]} entry={administration[1]} {...here} />
          </li>
        )}
      </ul>
    </nav>
  )
}

/** What is about oneself, under one's name; on a phone also what the bar has no room for. */
export function AccountMenu({ viewer, ...here }: Props) {
  const open = openTo(viewer)
  const first = (group: string) => open.find(([, entry]) => groupOf(entry) === group)
  const administration = first('Administration')
  return (
    <details class="menu account">
      <summary>
        <span class="unseen">Account of </span>
        <bdi>{viewer.name}</bdi>
      </summary>
      <nav class="card" aria-label="Account">
        {[first('Settings'), first('Menu')].map(
          (found) => found && <PlaceLink key={found[0]} name={found[0]} entry={found[1]} {...here} />,
        )}
        {administration && (
          <span class="narrow-only">
            <PlaceLink name={administration[0]} entry={administration[1]} {...here} />
          </span>
        )}
        <ButtonForm action={`${here.basePath}/logout`} csrf={viewer.csrf} class="plain">
          Sign out
        </ButtonForm>
      </nav>
    </details>
  )
}

/** Where the names of whole groups lead: to the first of their pages that is open to somebody. */
export function firstOf(group: 'Settings' | 'Administration', permissions: Viewer['permissions']): string | undefined {
  return openTo({ permissions }).find(([, entry]) => groupOf(entry) === group)?.[1].path
}

/** The pages of the group that one is in. */
export function GroupNavigation({ basePath, viewer, place, below }: Props) {
  const group = place && groupOf(places[place])
  const pages = openTo(viewer).filter(([, entry]) => group !== undefined && groupOf(entry) === group)
  if (pages.length < 2) return null
  return (
    <nav class="group" aria-label={group}>
      <ul>
        {pages.map(([name, { path, label }]) => (
          <li key={name}>
            <a href={basePath + path} {...(name === place && currentAt(true, below))}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
