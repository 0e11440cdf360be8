import type { Permission } from '../../../access/permissions.ts'
import { ButtonForm, Form } from '../components/forms.tsx'
import { Icon, type IconName } from '../components/marks.tsx'
import type { Viewer } from './context.ts'
import { LanguageChoices } from './language-switch.tsx'
import { useScriptTexts, useTexts } from './localization.ts'

type Group = 'main' | 'settings' | 'administration' | 'menu'

/** Any of the permissions is enough. */
const page = (group: Group, path: string, ...anyOf: Permission[]) => ({ group, path, anyOf })

const REFERENCE_PERMISSIONS = ['data.airports.manage', 'data.airlines.manage', 'data.aircraft.manage'] as const

/** All pages of the navigation, in its order. */
const places = {
  home: page('main', '/'),
  map: page('main', '/map', 'flight.read.own'),
  trips: page('main', '/trips', 'flight.read.own'),
  statistics: page('main', '/statistics', 'flight.read.own'),
  countries: page('main', '/countries', 'flight.read.own'),
  preferences: page('settings', '/settings/preferences'),
  shares: page('settings', '/settings/shares', 'flight.share.own'),
  calendar: page('settings', '/settings/calendar', 'flight.read.own'),
  deletedFlights: page('settings', '/settings/deleted', 'flight.read.own'),
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

interface WithBase {
  basePath: string
}

type Entry = ReturnType<typeof page> & { name: Place }

const entries = Object.entries(places).map(([name, entry]) => ({ ...entry, name: name as Place }))

function entriesOf(group: Group, permissions: Viewer['permissions']): Entry[] {
  const isAllowed = ({ anyOf }: Entry) => anyOf.length === 0 || anyOf.some((name) => permissions.has(name))
  return entries.filter((entry) => entry.group === group && isAllowed(entry))
}

const icons: Partial<Record<Place, IconName>> = {
  home: 'plane',
  map: 'map',
  trips: 'trip',
  statistics: 'chart',
  countries: 'globe',
}

/** Of the shortcuts script. */
const keys: Partial<Record<Place, string>> = { home: 'g h', map: 'g m', statistics: 'g s', trips: 'g t' }

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
    <a href={basePath + path} {...(isCurrent && { 'aria-current': current })} data-keys={keys[name]}>
      {icon && <Icon name={icon} size={22} />}
      {isGroup ? groups[group] : labels[name]}
    </a>
  )
}

/** Places beside the button to add a flight that fit into the bar of a phone. */
const NARROW_PLACES = 4

/** At the top of the page, and on a phone at the bottom. */
export function MainNavigation({ viewer: { permissions }, ...here }: Props) {
  const t = useTexts().navigation
  const items = entriesOf('main', permissions).map((entry, index) => (
    <li key={entry.name} class={index < NARROW_PLACES ? undefined : 'wide-only'}>
      <PlaceLink entry={entry} {...here} />
    </li>
  ))
  const middle = Math.ceil(Math.min(items.length, NARROW_PLACES) / 2)
  const [administration] = entriesOf('administration', permissions)
  return (
    <nav class="places" aria-label={t.groups.main}>
      <ul class="bar">
        {items.slice(0, middle)}
        {permissions.has('flight.create.own') && (
          <li class="add">
            <a href={`${here.basePath}/flights/new`} aria-label={t.addFlight} data-keys="n">
              <Icon name="add" size={22} />
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

function LanguageSwitch({ basePath, csrf, language, page }: Pick<Viewer, 'csrf' | 'language' | 'page'> & WithBase) {
  const { label } = useTexts().settings.preferences.fields.language
  return (
    <details class="languages-menu">
      <summary>
        <Icon name="globe" />
        {label}
      </summary>
      <LanguageChoices action={`${basePath}/settings/language`} csrf={csrf} page={page} chosen={language} />
    </details>
  )
}

const themes = ['light', 'dark', 'auto'] as const

function ThemeSwitch({ basePath, csrf, theme, page }: Pick<Viewer, 'csrf' | 'theme' | 'page'> & WithBase) {
  const { label, choices } = useTexts().settings.preferences.fields.theme
  return (
    <Form method="post" action={`${basePath}/settings/theme`} hidden={{ csrf, next: page }}>
      <fieldset class="switch">
        <legend>{label}</legend>
        {themes.map((value) => (
          <button key={value} type="submit" name="theme" value={value} aria-pressed={value === theme}>
            {choices[value]}
          </button>
        ))}
      </fieldset>
    </Form>
  )
}

/** On a phone it includes the places for which the bar has no room. */
export function AccountMenu({ viewer: { name, username, csrf, permissions, theme, language, page }, ...here }: Props) {
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
        <p class="quiet who">{t.signedInAs({ username, name: (text) => <strong>{text}</strong> })}</p>
        {entriesOf('main', permissions)
          .slice(NARROW_PLACES)
          .map((entry) => (
            <span key={entry.name} class="narrow-only">
              <PlaceLink entry={entry} {...here} />
            </span>
          ))}
        {settings && <PlaceLink entry={settings} isGroup {...here} />}
        {entriesOf('menu', permissions).map((entry) => (
          <PlaceLink key={entry.name} entry={entry} {...here} />
        ))}
        {administration && (
          <span class="narrow-only">
            <PlaceLink entry={administration} isGroup {...here} />
          </span>
        )}
        <ThemeSwitch {...{ theme, csrf, page }} basePath={here.basePath} />
        <LanguageSwitch {...{ language, csrf, page }} basePath={here.basePath} />
        <button type="button" class="plain wide-only" hidden data-shortcuts data-texts={useScriptTexts('shortcuts')}>
          {t.shortcuts}
        </button>
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
