import type { Scope } from './scopes.ts'

interface Condition {
  needs: Scope
  when: string
}

interface Rule {
  needs: readonly Scope[]
  conditions?: Readonly<Record<string, Condition>>
  /** The role is checked when the target is known (contract 1.4, step 8). */
  roleWithTarget?: true
  open?: true
}

const otherUsers = <Needed extends Scope>(needs: Needed) => ({
  otherUsers: { needs, when: 'scope is all, or scope is user and userId names another user' },
})
const notPassenger = <Needed extends Scope>(needs: Needed) => ({
  notPassenger: { needs, when: 'the user is not on the flight' },
})
const trackGiven = { needs: 'tracks.write', when: 'the body has a track member, also when it is null' } as const

/** The only source of scopes for hooks, challenges, documents, tools and tests. */
export const policy = {
  getDiscovery: { needs: [], open: true },
  getOpenApi: { needs: [], open: true },
  getMe: { needs: [] },
  getPreferences: { needs: ['profile.read'] },
  updatePreferences: { needs: ['preferences.write'] },
  listFlights: { needs: ['flight.read.own'], conditions: otherUsers('flight.read.any') },
  createFlight: {
    needs: ['flight.create.own'],
    conditions: {
      notPassenger: { needs: 'flight.create.any', when: 'the user is not among the passengers' },
      severalWithCaller: {
        needs: 'flight.passengers.manage.own',
        when: 'there is more than one passenger and the user is among them',
      },
      severalWithoutCaller: {
        needs: 'flight.passengers.manage.any',
        when: 'there is more than one passenger and the user is not among them',
      },
      trackGiven,
    },
  },
  getFlight: { needs: ['flight.read.own'], conditions: notPassenger('flight.read.any'), roleWithTarget: true },
  updateFlight: {
    needs: ['flight.update.own'],
    conditions: {
      ...notPassenger('flight.update.any'),
      ownPassengersChange: {
        needs: 'flight.passengers.manage.own',
        when: 'the passengers change and the user is on the flight',
      },
      otherPassengersChange: {
        needs: 'flight.passengers.manage.any',
        when: 'the passengers change and the user is not on the flight',
      },
      trackGiven,
    },
    roleWithTarget: true,
  },
  deleteFlight: { needs: ['flight.delete.own'], conditions: notPassenger('flight.delete.any'), roleWithTarget: true },
  getFlightTrack: {
    needs: ['tracks.read', 'flight.read.own'],
    conditions: notPassenger('flight.read.any'),
    roleWithTarget: true,
  },
  putFlightTrack: {
    needs: ['tracks.write', 'flight.update.own'],
    conditions: notPassenger('flight.update.any'),
    roleWithTarget: true,
  },
  deleteFlightTrack: {
    needs: ['tracks.write', 'flight.update.own'],
    conditions: notPassenger('flight.update.any'),
    roleWithTarget: true,
  },
  listDeletedFlights: {
    needs: ['flight.read.own'],
    conditions: { otherUsers: { needs: 'flight.read.any', when: 'scope is all' } },
  },
  restoreFlight: {
    needs: ['flight.create.own'],
    conditions: { notPassenger: { needs: 'flight.create.any', when: 'the user was not on the flight' } },
  },
  listFlightChanges: { needs: ['flight.read.own'], conditions: otherUsers('flight.read.any') },
  listTrips: { needs: ['flight.read.own'] },
  suggestTrips: { needs: ['flight.read.own'] },
  getTrip: { needs: ['flight.read.own'] },
  createTrip: { needs: ['flight.update.own'] },
  updateTrip: { needs: ['flight.update.own'] },
  deleteTrip: { needs: ['flight.update.own'] },
  exportFlights: { needs: ['flight.export.own'], conditions: otherUsers('flight.export.any') },
  importFlights: {
    needs: ['flight.import.own'],
    conditions: { restore: { needs: 'flight.import.any', when: 'mode is restore' } },
  },
  readTravelDocument: { needs: ['reference_data.read', 'flight.create.own'] },
  getStats: { needs: ['stats.read', 'flight.read.own'], conditions: otherUsers('flight.read.any') },
  getStatsBreakdown: { needs: ['stats.read', 'flight.read.own'], conditions: otherUsers('flight.read.any') },
  getStatsRecords: { needs: ['stats.read', 'flight.read.own'], conditions: otherUsers('flight.read.any') },
  getStatsPunctuality: { needs: ['stats.read', 'flight.read.own'], conditions: otherUsers('flight.read.any') },
  searchAirports: { needs: ['reference_data.read'] },
  searchAirlines: { needs: ['reference_data.read'] },
  searchAircraft: { needs: ['reference_data.read'] },
  getAirport: { needs: ['reference_data.read'] },
  getAirline: { needs: ['reference_data.read'] },
  getAircraft: { needs: ['reference_data.read'] },
  lookUpFlightNumber: { needs: ['reference_data.read'] },
  createAirport: { needs: ['data.airports.manage'] },
  createAirline: { needs: ['data.airlines.manage'] },
  createAircraft: { needs: ['data.aircraft.manage'] },
  updateAirport: { needs: ['data.airports.manage'] },
  updateAirline: { needs: ['data.airlines.manage'] },
  updateAircraft: { needs: ['data.aircraft.manage'] },
  deleteAirport: { needs: ['data.airports.manage'] },
  deleteAirline: { needs: ['data.airlines.manage'] },
  deleteAircraft: { needs: ['data.aircraft.manage'] },
  listCustomFields: {
    needs: ['custom_fields.read'],
    conditions: { inactive: { needs: 'custom_fields.manage', when: 'includeInactive is true' } },
  },
  getCustomField: { needs: ['custom_fields.read'] },
  createCustomField: { needs: ['custom_fields.manage'] },
  updateCustomField: { needs: ['custom_fields.manage'] },
  deleteCustomField: { needs: ['custom_fields.manage'] },
  listVisitedCountries: { needs: ['visited_countries.read'] },
  putVisitedCountry: { needs: ['visited_countries.write'] },
  deleteVisitedCountry: { needs: ['visited_countries.write'] },
  listCountries: { needs: ['visited_countries.read', 'flight.read.own'] },
  listShares: { needs: ['shares.read'] },
  getShare: { needs: ['shares.read'] },
  createShare: { needs: ['shares.write'] },
  updateShare: { needs: ['shares.write'] },
  deleteShare: { needs: ['shares.write'] },
  listUsers: { needs: ['users.directory.read'] },
  getUser: { needs: ['users.directory.read'] },
  createUser: {
    needs: ['users.create'],
    conditions: { otherRole: { needs: 'users.roles.assign', when: 'roleId names a role other than the default' } },
  },
  updateUser: {
    needs: ['users.update'],
    conditions: { roleChange: { needs: 'users.roles.assign', when: "roleId differs from the user's role" } },
  },
  deleteUser: { needs: ['users.delete'] },
  listRoles: { needs: ['roles.manage'] },
  getRole: { needs: ['roles.manage'] },
  createRole: { needs: ['roles.manage'] },
  updateRole: {
    needs: ['roles.manage'],
    conditions: {
      makesDefault: { needs: 'users.roles.assign', when: 'isDefault is true and the role is not the default yet' },
      changesMappings: { needs: 'users.roles.assign', when: 'oauthMappings differ from those that the role has' },
    },
  },
  deleteRole: { needs: ['roles.manage'] },
} as const satisfies Record<string, Rule>

export type OperationId = keyof typeof policy

export type Facts<Id extends OperationId> = (typeof policy)[Id] extends { conditions: infer Conditions }
  ? { [Name in keyof Conditions]: boolean }
  : Record<string, never>

export type EarlyFacts<Id extends OperationId> = { readonly [Name in keyof Facts<Id>]?: boolean }

export type SomeFacts = Readonly<Record<string, boolean | undefined>>

export const ruleOf = (id: OperationId): Rule => policy[id]
