import { dirname, join } from 'node:path'
import { longWrites, type RunInWorker } from '../db/long-writes.ts'
import type { Db } from '../db/open.ts'
import { postgresOf } from '../db/postgres/open.ts'
import { activityService } from '../domain/activity/service.ts'
import { calendarService } from '../domain/calendar/service.ts'
import { changeService } from '../domain/changes/service.ts'
import { authenticator } from '../domain/credentials/authenticate.ts'
import { currentCaller as currentCallerOf } from '../domain/credentials/current-caller.ts'
import { keyService } from '../domain/credentials/service.ts'
import { customFieldService } from '../domain/custom-fields/service.ts'
import type { ReadDocument } from '../domain/documents/readers/registry.ts'
import { documentService } from '../domain/documents/service.ts'
import { codeCheckService } from '../domain/flights/code-check.ts'
import { deletedFlightsOfAccount } from '../domain/flights/deleted/accounts.ts'
import { deletedFlightService } from '../domain/flights/deleted/service.ts'
import { userMap } from '../domain/flights/map/user-map.ts'
import { flightService } from '../domain/flights/service.ts'
import { bulkInsert } from '../domain/flights/store/bulk-insert.ts'
import { createReferenceService } from '../domain/flights/touch-referencing-flights.ts'
import { type ReadTrackFile, trackFileReader } from '../domain/flights/tracks/files/read.ts'
import { trackService } from '../domain/flights/tracks/service.ts'
import { idempotencyService } from '../domain/idempotency/service.ts'
import type { ProviderSettings } from '../domain/identities/contract.ts'
import { identityService } from '../domain/identities/service.ts'
import { memoryService } from '../domain/memory/service.ts'
import type { ClientMetadataMode } from '../domain/oauth/contract.ts'
import { oauthService } from '../domain/oauth/service.ts'
import { passkeyService } from '../domain/passkeys/service.ts'
import { preferenceService } from '../domain/preferences/service.ts'
import { profileService } from '../domain/profile/service.ts'
import { flightNumberService } from '../domain/reference/flight-number-service.ts'
import { roleService } from '../domain/roles/service.ts'
import { sessionService } from '../domain/sessions/service.ts'
import { shareService } from '../domain/shares/service.ts'
import { visitorView } from '../domain/shares/visitor.ts'
import { statsService } from '../domain/stats/service.ts'
import { exportService } from '../domain/transfer/export.ts'
import { importService } from '../domain/transfer/import.ts'
import { type ImportWork, importWork } from '../domain/transfer/import-work.ts'
import { pendingUploads } from '../domain/transfer/pending-uploads.ts'
import { readFile } from '../domain/transfer/read-file.ts'
import { tripService } from '../domain/trips/service.ts'
import { userService } from '../domain/users/service.ts'
import { setupCode } from '../domain/users/setup-code.ts'
import { visitedService } from '../domain/visited/service.ts'
import { recordWriters } from '../http/shared/serializer.ts'
import { type Clock, steadyClock, systemClock } from '../lib/clock.ts'

export type Services = ReturnType<typeof createServices>

interface Options {
  db: Db
  clock?: Clock
  baseUrl?: string
  privateSchemes?: readonly string[]
  graceSeconds?: number
  oauthClientMetadata?: ClientMetadataMode
  importInWorker?: ImportWork
  longWritesInWorker?: RunInWorker
  trackFilesInWorker?: ReadTrackFile
  documentsInWorker?: ReadDocument
  oidc?: ProviderSettings | undefined
  passwordSignIn?: boolean
  setupCode?: string | undefined
  deletedFlightsDays?: number
}

export function createServices(options: Options) {
  const { db, clock = systemClock, baseUrl = '', oidc: settings } = options
  const { privateSchemes = [], graceSeconds = 0, passwordSignIn = true, deletedFlightsDays = 30 } = options
  // An expired token or session must not become valid again if the clock is set back.
  const secretsClock = options.clock ?? steadyClock()
  const writes = longWrites({ db, clock, runInWorker: options.longWritesInWorker })
  const currentCaller = currentCallerOf(db)
  const memory = memoryService({ db })
  const activity = activityService({ db, clock })
  const roles = roleService({ db, clock, activity, currentCaller })
  const users = userService({
    db,
    clock,
    roles,
    activity,
    longWrites: writes,
    currentCaller,
    deletedFlights: deletedFlightsOfAccount(db),
  })
  const sessions = sessionService({ db, clock: secretsClock, users, activity, passwordSignIn })
  const passkeys = passkeyService({
    db,
    clock: secretsClock,
    users,
    sessions,
    activity,
    memory,
    baseUrl,
    isLinked: (userId: string): boolean => identities.linkOf(userId) !== undefined,
  })
  const identities = identityService({
    db,
    clock: secretsClock,
    users,
    roles,
    sessions,
    passkeys,
    activity,
    baseUrl,
    settings,
  })
  const preferences = preferenceService({ db, currentCaller })
  const profile = profileService({ db, preferences, write: recordWriters.me })
  const keys = keyService({ db, clock, activity })
  const oauth = oauthService({
    db,
    clock: secretsClock,
    baseUrl,
    privateSchemes,
    graceSeconds,
    clientMetadata: options.oauthClientMetadata ?? 'on',
    memory,
    activity,
  })
  const credentials = authenticator({ db, clock, oauth })
  const reference = createReferenceService(db, writes, currentCaller)
  const flightNumbers = flightNumberService({ db, clock, reference })
  const customFields = customFieldService({ db, clock, reference, longWrites: writes, currentCaller })
  const toJson = recordWriters.flight
  const flights = flightService({
    db,
    clock,
    reference,
    customFields,
    activity,
    toJson,
    currentCaller,
    deletedFlightsDays,
  })
  const deletedFlights = deletedFlightService({
    db,
    clock,
    reference,
    customFields,
    activity,
    toJson,
    currentCaller,
    days: deletedFlightsDays,
  })
  const readTrackFile = trackFileReader(options.trackFilesInWorker)
  const codeCheck = codeCheckService({ db, clock, reference, activity, currentCaller })
  const tracks = trackService({ db, clock, activity, readFile: readTrackFile, currentCaller })
  const mapOf = userMap({ db, clock, reference, flights, tracks })
  const changes = changeService({ db, flights })
  const idempotency = idempotencyService({ db, clock })
  const stats = statsService({ db, clock, flights, reference })
  const exports = exportService({ db, clock, flights, tracks, reference, activity, baseUrl })
  const insertFlights = bulkInsert({ db, clock, reference, customFields })
  const importRows = importWork({ db, clock, insertFlights, reference, customFields, activity, currentCaller })
  const importInline: ImportWork = async (caller, content, query, steps) =>
    importRows(caller, readFile(content, query), query, steps)
  const imports = importService({ db, runInline: importInline, runInWorker: options.importInWorker })
  const documents = documentService({
    db,
    clock,
    reference,
    flightNumbers,
    readInWorker: options.documentsInWorker,
  })
  const folder = join(dirname(db.$client.name), 'import-files')
  const uploads = pendingUploads({ folder, isShared: postgresOf(db) !== undefined, clock })
  const visited = visitedService({ db, stats, currentCaller })
  const trips = tripService({ db, clock, reference, activity, toJson: recordWriters.trip, currentCaller })
  const shares = shareService({ db, clock, baseUrl, activity, trips, currentCaller })
  const calendars = calendarService({ db, clock, baseUrl, flights, reference, trips, currentCaller })
  const visitors = visitorView({ db, flights, tracks, stats, trips })
  return {
    longWrites: writes,
    activity,
    roles,
    users,
    memory,
    setupCode: setupCode(memory, options.setupCode),
    sessions,
    identities,
    passkeys,
    preferences,
    profile,
    keys,
    credentials,
    oauth,
    reference,
    flightNumbers,
    customFields,
    flights,
    deletedFlights,
    codeCheck,
    tracks,
    mapOf,
    changes,
    idempotency,
    stats,
    exports,
    imports,
    importRows,
    documents,
    pendingUploads: uploads,
    visited,
    shares,
    trips,
    calendars,
    visitors,
  }
}
