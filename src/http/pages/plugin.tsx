import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { KeyService } from '../../domain/credentials/service.ts'
import type { CustomFieldService } from '../../domain/custom-fields/service.ts'
import type { FlightService } from '../../domain/flights/service.ts'
import type { OAuthService } from '../../domain/oauth/service.ts'
import type { PreferenceService } from '../../domain/preferences/service.ts'
import type { ReferenceService } from '../../domain/reference/service.ts'
import type { RoleService } from '../../domain/roles/service.ts'
import type { SessionService } from '../../domain/sessions/service.ts'
import type { ShareService } from '../../domain/shares/service.ts'
import type { visitorView } from '../../domain/shares/visitor.ts'
import type { StatsService } from '../../domain/stats/service.ts'
import type { ImportService } from '../../domain/transfer/import.ts'
import type { UserService } from '../../domain/users/service.ts'
import { hasDotSegment } from '../shared/methods.ts'
import { serveAssets } from './assets.ts'
import { authorize } from './authorize.tsx'
import { customFieldPages } from './custom-fields.tsx'
import { docs } from './docs.tsx'
import { errorPages } from './errors.tsx'
import { flightPages } from './flights.tsx'
import { acceptForms } from './form.ts'
import { setPageHeaders } from './headers.ts'
import { home } from './home.tsx'
import { importPage } from './import.tsx'
import { notices } from './notices.ts'
import { preferencesPage } from './preferences.tsx'
import { rolePages } from './roles.tsx'
import { type PageRoutes, pageRoutes } from './routes.ts'
import { search } from './search.ts'
import { security } from './security.tsx'
import { readCookies } from './session.ts'
import { setup } from './setup.tsx'
import { share } from './share.tsx'
import { sharesPage } from './shares.tsx'
import { signIn } from './sign-in.tsx'
import { userPages } from './users.tsx'

export interface PageOptions {
  baseUrl: string
  basePath: string
  users: UserService
  roles: RoleService
  reference: ReferenceService
  customFields: CustomFieldService
  sessions: SessionService
  keys: KeyService
  preferences: PreferenceService
  flights: FlightService
  imports: ImportService
  stats: StatsService
  shares: ShareService
  visitors: ReturnType<typeof visitorView>
  /** Whose request it is, as limits count. */
  addressOf: (request: FastifyRequest) => string
  /** The time that limits go by; the system's when absent. */
  now?: (() => number) | undefined
  oauth: OAuthService
  /** The document of the API, which the reference is drawn from. */
  openApi: () => OpenAPIV3_1.Document
}

/** What each page is registered with. */
export interface PageContext extends PageOptions {
  routes: PageRoutes
  notices: ReturnType<typeof notices>
}

/** Everything that people see in a browser. */
export async function pages(app: FastifyInstance, options: PageOptions): Promise<void> {
  const errors = errorPages(options)
  const routes = pageRoutes(app, options.basePath)
  const context: PageContext = { ...options, routes, notices: notices() }

  function answerUnknown({ url, method }: FastifyRequest, reply: FastifyReply) {
    const allow = routes.allowed(url)
    return allow === undefined ? errors.unknown(reply) : errors.wrongMethod(reply, method, allow)
  }

  app.addHook('onRequest', (request, reply, done) => {
    setPageHeaders(request, reply)
    // Already here: what is sent to an unknown address is never read.
    if (request.is404) answerUnknown(request, reply)
    else if (hasDotSegment(request.url)) errors.unknown(reply)
    else done()
  })
  app.setNotFoundHandler(answerUnknown)
  app.setErrorHandler(errors.failed)
  await readCookies(app, options)
  await acceptForms(app)
  await serveAssets(app)
  await app.register(setup, context)
  await app.register(signIn, context)
  await app.register(home, context)
  await app.register(flightPages, context)
  await app.register(importPage, context)
  await app.register(search, context)
  await app.register(preferencesPage, context)
  await app.register(security, context)
  await app.register(userPages, context)
  await app.register(rolePages, context)
  await app.register(customFieldPages, context)
  await app.register(sharesPage, context)
  await app.register(share, context)
  await app.register(docs, context)
  await app.register(authorize, context)
}
