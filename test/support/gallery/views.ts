import { accountViews } from './account-views.ts'
import { administrationViews } from './administration-views.ts'
import { flightViews } from './flight-views.ts'
import { openViews } from './open-views.ts'
import { referenceViews } from './reference-views.ts'
import { statisticsViews } from './statistics-views.ts'
import { transferViews } from './transfer-views.ts'
import type { View } from './view.ts'

/** All views. `every-page.proof.ts` checks that they cover all page routes. */
export const views: readonly View[] = [
  ...openViews,
  ...flightViews,
  ...statisticsViews,
  ...transferViews,
  ...accountViews,
  ...administrationViews,
  ...referenceViews,
]

/** Routes without a page: data, and forms that redirect to another page. */
export const routesWithoutPage = [
  // Redirects to and from the identity provider, covered by `oidc.proof.ts`.
  'GET /login/oidc',
  'GET /login/oidc/callback',
  'POST /settings/security/oidc/link',
  'POST /settings/security/oidc/unlink',
  // Called by scripts, covered by `passkeys.proof.ts`.
  'POST /login/passkey',
  'POST /login/passkey/options',
  'POST /settings/security/passkeys',
  'POST /settings/security/passkeys/options',
  'POST /settings/security/passkeys/{id}/delete',
  'POST /logout',
  'POST /settings/theme',
  'POST /settings/language',
  'POST /language',
  'POST /flights/{id}/delete',
  'POST /settings/deleted/{id}/restore',
  'POST /settings/deleted/{id}/delete',
  'GET /flights/import',
  'GET /import/progress',
  'GET /export/{form}',
  'GET /search/airports',
  'GET /search/airlines',
  'GET /search/aircraft',
  'GET /search/flight-numbers',
  'POST /settings/shares/{id}/delete',
  'POST /trips/{id}/delete',
  'POST /flights/{id}/trip',
  'POST /settings/security/keys/{id}/delete',
  'POST /settings/security/apps/{id}/revoke',
  'POST /settings/security/sessions/end',
  'POST /settings/security/sessions/{handle}/end',
  'GET /admin/reference',
  ...['airports', 'airlines', 'aircraft'].map((kind) => `POST /admin/reference/${kind}/{id}/delete`),
  'POST /admin/users/{id}/delete',
  'POST /admin/roles/{id}/delete',
  'POST /admin/custom-fields/{id}/delete',
  'POST /oauth/consent',
  'GET /map/data',
  'GET /flights/{id}/map.json',
  'GET /statistics/{year}/story.png',
  'GET /statistics/{year}/square.png',
  'GET /statistics/{year}/card.png',
  'GET /share/{slug}/map.png',
  'GET /share/{slug}/map.json',
  'GET /manifest.webmanifest',
  'GET /service-worker.js',
  'GET /assets/{file}',
]
