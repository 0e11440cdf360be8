import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasDotSegment } from '../../shared/methods.ts'
import { activityPages } from '../features/activity/activity.tsx'
import { codeCheckPages } from '../features/admin/code-check.tsx'
import { customFieldPages } from '../features/admin/custom-fields.tsx'
import { referencePages } from '../features/admin/reference-rows.tsx'
import { rolePages } from '../features/admin/roles.tsx'
import { userPages } from '../features/admin/users.tsx'
import { countriesPage } from '../features/countries/countries.tsx'
import { docs } from '../features/docs/docs.tsx'
import { entityPages } from '../features/entities/entity-pages.tsx'
import { exportPage } from '../features/export/export.tsx'
import { flightPages } from '../features/flight-form/flight-form.tsx'
import { bulkEdit } from '../features/flights/bulk-edit.ts'
import { flightDetails } from '../features/flights/flight-details.tsx'
import { flightTrack } from '../features/flights/flight-track.tsx'
import { home } from '../features/home/home.tsx'
import { importPage } from '../features/import/import.tsx'
import { mapPage } from '../features/map/map.tsx'
import { authorize } from '../features/oauth/authorize.tsx'
import { offlinePage } from '../features/offline/offline.tsx'
import { oidcPages } from '../features/security/oidc.tsx'
import { security } from '../features/security/security.tsx'
import { calendar } from '../features/settings/calendar.tsx'
import { deletedFlightPages } from '../features/settings/deleted-flights.tsx'
import { preferencesPage } from '../features/settings/preferences.tsx'
import { share } from '../features/shares/share.tsx'
import { sharesPage } from '../features/shares/shares.tsx'
import { setup } from '../features/sign-in/setup.tsx'
import { signIn } from '../features/sign-in/sign-in.tsx'
import { statisticsPage } from '../features/statistics/statistics.tsx'
import { yearPages } from '../features/statistics/year.tsx'
import { tripPages } from '../features/trips/trips.tsx'
import { manifest, serveAssets } from './assets.ts'
import { compressPages } from './compression.ts'
import type { PageContext } from './context.ts'
import { errorPages } from './errors.tsx'
import { acceptForms } from './form.ts'
import { formDrafts } from './form-drafts.ts'
import { setPageHeaders } from './headers.ts'
import { languageSwitch } from './language-switch.tsx'
import { announceLanguage } from './localization.ts'
import { notices } from './notices.ts'
import type { PageOptions } from './options.ts'
import { redirects } from './redirects.ts'
import { pageRoutes } from './routes.ts'
import { readCookies } from './session.ts'

export async function pages(app: FastifyInstance, options: PageOptions): Promise<void> {
  const errors = errorPages(options)
  const routes = pageRoutes(app, options.basePath)
  const context: PageContext = { ...options, routes, notices: notices(options.memory), drafts: formDrafts(options) }

  function answerUnknown({ url, method }: FastifyRequest, reply: FastifyReply) {
    const allow = routes.allowed(url)
    // The router rejects some addresses of known paths, such as one with a line break: not found.
    if (allow === undefined || allow.split(', ').includes(method)) return errors.unknown(reply)
    return errors.wrongMethod(reply, method, allow)
  }

  // First, because pages of errors follow the language of the browser too.
  await readCookies(app, options)
  app.addHook('onRequest', (request, reply, done) => {
    setPageHeaders(request, reply)
    // Answered before the body is read.
    if (request.is404) answerUnknown(request, reply)
    else if (hasDotSegment(request.url)) errors.unknown(reply)
    else done()
  })
  app.setNotFoundHandler(answerUnknown)
  app.setErrorHandler(errors.failed)
  announceLanguage(app)
  compressPages(app)
  await acceptForms(app)
  await serveAssets(app)
  await app.register(manifest, context)
  await app.register(languageSwitch, context)
  await app.register(setup, context)
  await app.register(signIn, context)
  await app.register(oidcPages, context)
  await app.register(importPage, context)
  await app.register(exportPage, context)
  await app.register(authorize, context)
  await app.register(home, context)
  await app.register(redirects, context)
  await app.register(flightDetails, context)
  await app.register(bulkEdit, context)
  await app.register(mapPage, context)
  await app.register(flightPages, context)
  await app.register(entityPages, context)
  await app.register(flightTrack, context)
  await app.register(statisticsPage, context)
  await app.register(yearPages, context)
  await app.register(countriesPage, context)
  await app.register(tripPages, context)
  await app.register(preferencesPage, context)
  await app.register(security, context)
  await app.register(userPages, context)
  await app.register(rolePages, context)
  await app.register(customFieldPages, context)
  await app.register(codeCheckPages, context)
  await app.register(referencePages, context)
  await app.register(activityPages, context)
  await app.register(sharesPage, context)
  await app.register(share, context)
  await app.register(deletedFlightPages, context)
  await app.register(calendar, context)
  await app.register(docs, context)
  await app.register(offlinePage, context)
}
