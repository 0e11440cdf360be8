import type { OperationId } from '../../../src/access/policy.ts'
import type { Scope } from '../../../src/access/scopes.ts'

/** The conditions of contract section 3. */
export type Condition =
  | 'otherUsers'
  | 'withoutCaller'
  | 'severalWithCaller'
  | 'severalWithoutCaller'
  | 'trackGiven'
  | 'notPassenger'
  | 'ownPassengersChange'
  | 'otherPassengersChange'
  | 'restore'
  | 'includeInactive'
  | 'otherRole'
  | 'roleChange'
  | 'makesDefault'
  | 'changesMappings'

export interface Row {
  /** Method and path below /api/v1. */
  route: string
  fixed: readonly Scope[]
  success: number
  conditional?: readonly (readonly [Scope, Condition])[]
  /** The type of the id in the path. A record is visible to every caller who passes the fixed checks. */
  target?: 'flight' | 'deletedFlight' | 'user' | 'role' | 'record'
  open?: true
}

/** A manual copy of contract section 3. The policy test and the oracle use it instead of the program. */
export const table: Readonly<Record<OperationId, Row>> = {
  getDiscovery: { route: 'GET ', fixed: [], success: 200, open: true },
  getOpenApi: { route: 'GET /openapi.yaml', fixed: [], success: 200, open: true },
  getMe: { route: 'GET /me', fixed: [], success: 200 },
  getPreferences: { route: 'GET /preferences', fixed: ['profile.read'], success: 200 },
  updatePreferences: { route: 'PUT /preferences', fixed: ['preferences.write'], success: 200 },
  listFlights: {
    route: 'GET /flights',
    fixed: ['flight.read.own'],
    success: 200,
    conditional: [['flight.read.any', 'otherUsers']],
  },
  createFlight: {
    route: 'POST /flights',
    fixed: ['flight.create.own'],
    success: 201,
    conditional: [
      ['flight.create.any', 'withoutCaller'],
      ['flight.passengers.manage.own', 'severalWithCaller'],
      ['flight.passengers.manage.any', 'severalWithoutCaller'],
      ['tracks.write', 'trackGiven'],
    ],
  },
  getFlight: {
    route: 'GET /flights/{id}',
    fixed: ['flight.read.own'],
    success: 200,
    conditional: [['flight.read.any', 'notPassenger']],
    target: 'flight',
  },
  updateFlight: {
    route: 'PUT /flights/{id}',
    fixed: ['flight.update.own'],
    success: 200,
    conditional: [
      ['flight.update.any', 'notPassenger'],
      ['flight.passengers.manage.own', 'ownPassengersChange'],
      ['flight.passengers.manage.any', 'otherPassengersChange'],
      ['tracks.write', 'trackGiven'],
    ],
    target: 'flight',
  },
  deleteFlight: {
    route: 'DELETE /flights/{id}',
    fixed: ['flight.delete.own'],
    success: 204,
    conditional: [['flight.delete.any', 'notPassenger']],
    target: 'flight',
  },
  getFlightTrack: {
    route: 'GET /flights/{id}/track',
    fixed: ['tracks.read', 'flight.read.own'],
    success: 200,
    conditional: [['flight.read.any', 'notPassenger']],
    target: 'flight',
  },
  putFlightTrack: {
    route: 'PUT /flights/{id}/track',
    fixed: ['tracks.write', 'flight.update.own'],
    success: 200,
    conditional: [['flight.update.any', 'notPassenger']],
    target: 'flight',
  },
  deleteFlightTrack: {
    route: 'DELETE /flights/{id}/track',
    fixed: ['tracks.write', 'flight.update.own'],
    success: 204,
    conditional: [['flight.update.any', 'notPassenger']],
    target: 'flight',
  },
  listDeletedFlights: {
    route: 'GET /flights/deleted',
    fixed: ['flight.read.own'],
    success: 200,
    conditional: [['flight.read.any', 'otherUsers']],
  },
  restoreFlight: {
    route: 'POST /flights/deleted/{id}/restore',
    fixed: ['flight.create.own'],
    success: 200,
    conditional: [['flight.create.any', 'notPassenger']],
    target: 'deletedFlight',
  },
  listFlightChanges: {
    route: 'GET /flights/changes',
    fixed: ['flight.read.own'],
    success: 200,
    conditional: [['flight.read.any', 'otherUsers']],
  },
  exportFlights: {
    route: 'GET /flights/export',
    fixed: ['flight.export.own'],
    success: 200,
    conditional: [['flight.export.any', 'otherUsers']],
  },
  importFlights: {
    route: 'POST /flights/import',
    fixed: ['flight.import.own'],
    success: 200,
    conditional: [['flight.import.any', 'restore']],
  },
  readTravelDocument: {
    route: 'POST /flights/read',
    fixed: ['reference_data.read', 'flight.create.own'],
    success: 200,
  },
  getStats: {
    route: 'GET /stats',
    fixed: ['stats.read', 'flight.read.own'],
    success: 200,
    conditional: [['flight.read.any', 'otherUsers']],
  },
  getStatsBreakdown: {
    route: 'GET /stats/breakdown',
    fixed: ['stats.read', 'flight.read.own'],
    success: 200,
    conditional: [['flight.read.any', 'otherUsers']],
  },
  getStatsRecords: {
    route: 'GET /stats/records',
    fixed: ['stats.read', 'flight.read.own'],
    success: 200,
    conditional: [['flight.read.any', 'otherUsers']],
  },
  getStatsPunctuality: {
    route: 'GET /stats/punctuality',
    fixed: ['stats.read', 'flight.read.own'],
    success: 200,
    conditional: [['flight.read.any', 'otherUsers']],
  },
  searchAirports: { route: 'GET /airports', fixed: ['reference_data.read'], success: 200 },
  getAirport: { route: 'GET /airports/{id}', fixed: ['reference_data.read'], success: 200, target: 'record' },
  createAirport: { route: 'POST /airports', fixed: ['data.airports.manage'], success: 201 },
  updateAirport: { route: 'PUT /airports/{id}', fixed: ['data.airports.manage'], success: 200, target: 'record' },
  deleteAirport: { route: 'DELETE /airports/{id}', fixed: ['data.airports.manage'], success: 204, target: 'record' },
  searchAirlines: { route: 'GET /airlines', fixed: ['reference_data.read'], success: 200 },
  getAirline: { route: 'GET /airlines/{id}', fixed: ['reference_data.read'], success: 200, target: 'record' },
  createAirline: { route: 'POST /airlines', fixed: ['data.airlines.manage'], success: 201 },
  updateAirline: { route: 'PUT /airlines/{id}', fixed: ['data.airlines.manage'], success: 200, target: 'record' },
  deleteAirline: { route: 'DELETE /airlines/{id}', fixed: ['data.airlines.manage'], success: 204, target: 'record' },
  searchAircraft: { route: 'GET /aircraft', fixed: ['reference_data.read'], success: 200 },
  getAircraft: { route: 'GET /aircraft/{id}', fixed: ['reference_data.read'], success: 200, target: 'record' },
  lookUpFlightNumber: { route: 'GET /flight-numbers/{flightNumber}', fixed: ['reference_data.read'], success: 200 },
  createAircraft: { route: 'POST /aircraft', fixed: ['data.aircraft.manage'], success: 201 },
  updateAircraft: { route: 'PUT /aircraft/{id}', fixed: ['data.aircraft.manage'], success: 200, target: 'record' },
  deleteAircraft: { route: 'DELETE /aircraft/{id}', fixed: ['data.aircraft.manage'], success: 204, target: 'record' },
  listCustomFields: {
    route: 'GET /custom-fields',
    fixed: ['custom_fields.read'],
    success: 200,
    conditional: [['custom_fields.manage', 'includeInactive']],
  },
  getCustomField: { route: 'GET /custom-fields/{id}', fixed: ['custom_fields.read'], success: 200, target: 'record' },
  createCustomField: { route: 'POST /custom-fields', fixed: ['custom_fields.manage'], success: 201 },
  updateCustomField: {
    route: 'PUT /custom-fields/{id}',
    fixed: ['custom_fields.manage'],
    success: 200,
    target: 'record',
  },
  deleteCustomField: {
    route: 'DELETE /custom-fields/{id}',
    fixed: ['custom_fields.manage'],
    success: 204,
    target: 'record',
  },
  listVisitedCountries: { route: 'GET /visited-countries', fixed: ['visited_countries.read'], success: 200 },
  putVisitedCountry: { route: 'PUT /visited-countries', fixed: ['visited_countries.write'], success: 200 },
  deleteVisitedCountry: { route: 'DELETE /visited-countries', fixed: ['visited_countries.write'], success: 204 },
  listCountries: { route: 'GET /countries', fixed: ['visited_countries.read', 'flight.read.own'], success: 200 },
  listShares: { route: 'GET /shares', fixed: ['shares.read'], success: 200 },
  getShare: { route: 'GET /shares/{id}', fixed: ['shares.read'], success: 200, target: 'record' },
  createShare: { route: 'POST /shares', fixed: ['shares.write'], success: 201 },
  updateShare: { route: 'PUT /shares/{id}', fixed: ['shares.write'], success: 200, target: 'record' },
  deleteShare: { route: 'DELETE /shares/{id}', fixed: ['shares.write'], success: 204, target: 'record' },
  listTrips: { route: 'GET /trips', fixed: ['flight.read.own'], success: 200 },
  getTrip: { route: 'GET /trips/{id}', fixed: ['flight.read.own'], success: 200, target: 'record' },
  createTrip: { route: 'POST /trips', fixed: ['flight.update.own'], success: 201 },
  updateTrip: { route: 'PUT /trips/{id}', fixed: ['flight.update.own'], success: 200, target: 'record' },
  deleteTrip: { route: 'DELETE /trips/{id}', fixed: ['flight.update.own'], success: 204, target: 'record' },
  suggestTrips: { route: 'GET /trips/suggestions', fixed: ['flight.read.own'], success: 200 },
  listUsers: { route: 'GET /users', fixed: ['users.directory.read'], success: 200 },
  getUser: { route: 'GET /users/{id}', fixed: ['users.directory.read'], success: 200, target: 'user' },
  createUser: {
    route: 'POST /users',
    fixed: ['users.create'],
    success: 201,
    conditional: [['users.roles.assign', 'otherRole']],
  },
  updateUser: {
    route: 'PUT /users/{id}',
    fixed: ['users.update'],
    success: 200,
    conditional: [['users.roles.assign', 'roleChange']],
    target: 'user',
  },
  deleteUser: { route: 'DELETE /users/{id}', fixed: ['users.delete'], success: 204, target: 'user' },
  listRoles: { route: 'GET /roles', fixed: ['roles.manage'], success: 200 },
  getRole: { route: 'GET /roles/{id}', fixed: ['roles.manage'], success: 200, target: 'role' },
  createRole: { route: 'POST /roles', fixed: ['roles.manage'], success: 201 },
  updateRole: {
    route: 'PUT /roles/{id}',
    fixed: ['roles.manage'],
    success: 200,
    conditional: [
      ['users.roles.assign', 'makesDefault'],
      ['users.roles.assign', 'changesMappings'],
    ],
    target: 'role',
  },
  deleteRole: { route: 'DELETE /roles/{id}', fixed: ['roles.manage'], success: 204, target: 'role' },
}
