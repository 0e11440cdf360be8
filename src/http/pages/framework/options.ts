import type { FastifyRequest } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { ActivityService } from '../../../domain/activity/service.ts'
import type { CalendarService } from '../../../domain/calendar/service.ts'
import type { KeyService } from '../../../domain/credentials/service.ts'
import type { CustomFieldService } from '../../../domain/custom-fields/service.ts'
import type { DocumentService } from '../../../domain/documents/service.ts'
import type { CodeCheckService } from '../../../domain/flights/code-check.ts'
import type { DeletedFlightService } from '../../../domain/flights/deleted/service.ts'
import type { userMap } from '../../../domain/flights/map/user-map.ts'
import type { FlightService } from '../../../domain/flights/service.ts'
import type { TrackService } from '../../../domain/flights/tracks/service.ts'
import type { IdentityService } from '../../../domain/identities/service.ts'
import type { MemoryService } from '../../../domain/memory/service.ts'
import type { OAuthService } from '../../../domain/oauth/service.ts'
import type { PasskeyService } from '../../../domain/passkeys/service.ts'
import type { PreferenceService } from '../../../domain/preferences/service.ts'
import type { FlightNumberService } from '../../../domain/reference/flight-number-service.ts'
import type { ReferenceService } from '../../../domain/reference/service.ts'
import type { RoleService } from '../../../domain/roles/service.ts'
import type { SessionService } from '../../../domain/sessions/service.ts'
import type { ShareService } from '../../../domain/shares/service.ts'
import type { visitorView } from '../../../domain/shares/visitor.ts'
import type { StatsService } from '../../../domain/stats/service.ts'
import type { ExportService } from '../../../domain/transfer/export.ts'
import type { ImportService } from '../../../domain/transfer/import.ts'
import type { PendingUploads } from '../../../domain/transfer/pending-uploads.ts'
import type { TripService } from '../../../domain/trips/service.ts'
import type { UserService } from '../../../domain/users/service.ts'
import type { SetupCode } from '../../../domain/users/setup-code.ts'
import type { VisitedService } from '../../../domain/visited/service.ts'

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
  passkeys: PasskeyService
  /** False: only the owner signs in with a password, on a hidden form. */
  passwordSignIn: boolean
  keys: KeyService
  preferences: PreferenceService
  exports: ExportService
  flights: FlightService
  codeCheck: CodeCheckService
  documents: DocumentService
  deletedFlights: DeletedFlightService
  tracks: TrackService
  mapOf: ReturnType<typeof userMap>
  imports: ImportService
  pendingUploads: PendingUploads
  stats: StatsService
  visited: VisitedService
  shares: ShareService
  trips: TripService
  calendars: CalendarService
  visitors: ReturnType<typeof visitorView>
  addressOf: (request: FastifyRequest) => string
  /** True for requests from this machine that use its loopback name. */
  isLocal: (request: FastifyRequest) => boolean
  now?: (() => number) | undefined
  oauth: OAuthService
  openApi: () => OpenAPIV3_1.Document
}
