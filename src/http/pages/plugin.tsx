import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasDotSegment } from '../shared/methods.ts'
import { activityPages } from './activity.tsx'
import { serveAssets } from './assets.ts'
import { authorize } from './authorize.tsx'
import { calendar } from './calendar.tsx'
import { compressPages } from './compression.ts'
import type { PageContext, PageOptions } from './context.ts'
import { countriesPage } from './countries.tsx'
import { customFieldPages } from './custom-fields.tsx'
import { docs } from './docs.tsx'
import { entityPages } from './entity-pages.tsx'
import { errorPages } from './errors.tsx'
import { exportPage } from './export.tsx'
import { flightDetails } from './flight-details.tsx'
import { flightTrack } from './flight-track.tsx'
import { flightPages } from './flights.tsx'
import { acceptForms } from './form.ts'
import { formDrafts } from './form-drafts.ts'
import { setPageHeaders } from './headers.ts'
import { home } from './home.tsx'
import { importPage } from './import.tsx'
import { manifest } from './manifest.ts'
import { mapPage } from './map-page.tsx'
import { notices } from './notices.ts'
import { oidcPages } from './oidc.tsx'
import { preferencesPage } from './preferences.tsx'
import { redirects } from './redirects.ts'
import { referencePages } from './reference-rows.tsx'
import { rolePages } from './roles.tsx'
import { pageRoutes } from './routes.ts'
import { search } from './search.ts'
import { security } from './security.tsx'
import { readCookies } from './session.ts'
import { setup } from './setup.tsx'
import { share } from './share.tsx'
import { sharesPage } from './shares.tsx'
import { signIn } from './sign-in.tsx'
import { statisticsPage } from './statistics.tsx'
import { userPages } from './users.tsx'
import { yearPages } from './year.tsx'

/** All pages for browsers. */
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

  app.addHook('onRequest', (request, reply, done) => {
    setPageHeaders(request, reply)
    // Answered before the body is read.
    if (request.is404) answerUnknown(request, reply)
    else if (hasDotSegment(request.url)) errors.unknown(reply)
    else done()
  })
  app.setNotFoundHandler(answerUnknown)
  app.setErrorHandler(errors.failed)
  compressPages(app)
  await readCookies(app, options)
  await acceptForms(app)
  await serveAssets(app)
  await app.register(manifest, context)
  await app.register(setup, context)
  await app.register(signIn, context)
  await app.register(oidcPages, context)
  await app.register(importPage, context)
  await app.register(exportPage, context)
  await app.register(authorize, context)
  await app.register(home, context)
  await app.register(redirects, context)
  await app.register(flightDetails, context)
  await app.register(mapPage, context)
  await app.register(flightPages, context)
  await app.register(entityPages, context)
  await app.register(flightTrack, context)
  await app.register(statisticsPage, context)
  await app.register(yearPages, context)
  await app.register(countriesPage, context)
  await app.register(search, context)
  await app.register(preferencesPage, context)
  await app.register(security, context)
  await app.register(userPages, context)
  await app.register(rolePages, context)
  await app.register(customFieldPages, context)
  await app.register(referencePages, context)
  await app.register(activityPages, context)
  await app.register(sharesPage, context)
  await app.register(share, context)
  await app.register(calendar, context)
  await app.register(docs, context)
}
