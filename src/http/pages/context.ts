import type { FastifyRequest } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { Permission } from '../../access/permissions.ts'
import type { ActivityService } from '../../domain/activity/service.ts'
import type { CalendarService } from '../../domain/calendar/service.ts'
import type { KeyService } from '../../domain/credentials/service.ts'
import type { CustomFieldService } from '../../domain/custom-fields/service.ts'
import type { FlightService } from '../../domain/flights/service.ts'
import type { TrackService } from '../../domain/flights/track-service.ts'
import type { userMap } from '../../domain/flights/user-map.ts'
import type { IdentityService } from '../../domain/identities/service.ts'
import type { MemoryService } from '../../domain/memory/service.ts'
import type { OAuthService } from '../../domain/oauth/service.ts'
import type { PreferenceService } from '../../domain/preferences/service.ts'
import type { FlightNumberService } from '../../domain/reference/flight-number-service.ts'
import type { ReferenceService } from '../../domain/reference/service.ts'
import type { RoleService } from '../../domain/roles/service.ts'
import type { SessionService } from '../../domain/sessions/service.ts'
import type { ShareService } from '../../domain/shares/service.ts'
import type { visitorView } from '../../domain/shares/visitor.ts'
import type { StatsService } from '../../domain/stats/service.ts'
import type { ExportService } from '../../domain/transfer/export.ts'
import type { ImportService } from '../../domain/transfer/import.ts'
import type { KeptFiles } from '../../domain/transfer/kept-files.ts'
import type { UserService } from '../../domain/users/service.ts'
import type { SetupCode } from '../../domain/users/setup-code.ts'
import type { VisitedService } from '../../domain/visited/service.ts'
import type { Formats } from './formats.ts'
import type { KeptForms } from './kept-forms.ts'
import type { Notices } from './notices.ts'
import type { PageRoutes } from './routes.ts'

export interface PageOptions {
  baseUrl: string
  basePath: string
  activity: ActivityService
  memory: MemoryService
  users: UserService
  setupCode: SetupCode
  roles: RoleService
  reference: ReferenceService
  flightNumbers: FlightNumberService
  customFields: CustomFieldService
  sessions: SessionService
  identities: IdentityService
  /** False: only the owner signs in with a password, on a form that is not shown to others. */
  passwordSignIn: boolean
  keys: KeyService
  preferences: PreferenceService
  exports: ExportService
  flights: FlightService
  tracks: TrackService
  /** What is drawn of one's own log. */
  mapOf: ReturnType<typeof userMap>
  imports: ImportService
  importFiles: KeptFiles
  stats: StatsService
  visited: VisitedService
  shares: ShareService
  calendars: CalendarService
  visitors: ReturnType<typeof visitorView>
  /** Whose request it is, as limits count. */
  addressOf: (request: FastifyRequest) => string
  /** Whether a request certainly comes from this machine and names it. */
  isLocal: (request: FastifyRequest) => boolean
  /** The time that limits go by; the system's when absent. */
  now?: (() => number) | undefined
  oauth: OAuthService
  /** The document of the API, which the reference is drawn from. */
  openApi: () => OpenAPIV3_1.Document
}

/** What each page is registered with. */
export interface PageContext extends PageOptions {
  routes: PageRoutes
  notices: Notices
  keptForms: KeptForms
}

/** Whoever is signed in; the token is for the form that signs out. */
export interface Viewer {
  name: string
  csrf: string
  permissions: ReadonlySet<Permission>
}

/** What every page behind the sign-in is drawn with. */
export interface Frame {
  basePath: string
  viewer: Viewer
  formats: Formats
  /** What the form before this page has done, told once. */
  notice: string | undefined
}
