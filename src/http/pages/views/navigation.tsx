import type { Permission } from '../../../access/permissions.ts'
import type { Viewer } from '../context.ts'

interface Entry {
  path: string
  label: string
  /** Holding any of these is enough to be led there; without a list everybody is. */
  for?: readonly Permission[]
}

/** Every page that the navigation leads to, in its order; a group is one entry of the bar with pages below it. */
const places = {
  home: { path: '/', label: 'Flights' },
  map: { path: '/map', label: 'Map', for: ['flight.read.own'] },
  statistics: { path: '/statistics', label: 'Statistics', for: ['flight.read.own'] },
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
  activity: { path: '/admin/activity', label: 'Activity', group: 'Administration', for: ['users.update'] },
  docs: { path: '/docs', label: 'API' },
} as const satisfies Record<string, Entry & { group?: 'Settings' | 'Administration' }>

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

function openTo(viewer: Viewer): [Place, Entry & { group?: string }][] {
  const entries = Object.entries(places) as [Place, Entry & { group?: string }][]
  return entries.filter(([, entry]) => entry.for?.some((name) => viewer.permissions.has(name)) ?? true)
}

/** The bar at the top: single pages, and each group by the first of its pages that is open to the viewer. */
export function MainNavigation({ basePath, viewer, place, below }: Props) {
  const open = openTo(viewer)
  const heads = open.filter(([, entry], index) => {
    const group = groupOf(entry)
    return group === undefined || open.findIndex(([, other]) => groupOf(other) === group) === index
  })
  const ownGroup = place && groupOf(places[place])
  return (
    <nav aria-label="Main">
      <ul>
        {heads.map(([name, entry]) => {
          const current = name === place || (ownGroup !== undefined && groupOf(entry) === ownGroup)
          return (
            <li key={name}>
              <a href={basePath + entry.path} {...(current && currentAt(name === place, below))}>
                {groupOf(entry) ?? entry.label}
              </a>
            </li>
          )
        })}
        <li>
          <form method="post" action={`${basePath}/logout`}>
            <input type="hidden" name="csrf" value={viewer.csrf} />
            <button class="plain" type="submit">
              Sign out
            </button>
          </form>
        </li>
      </ul>
    </nav>
  )
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
