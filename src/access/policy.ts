import type { Scope } from './scopes.ts'

interface Condition {
  needs: Scope
  /** Completes "needed when …". */
  when: string
}

interface Rule {
  needs: readonly Scope[]
  conditions?: Readonly<Record<string, Condition>>
  /** The role is checked when the target is known (contract 1.4, step 8). */
  roleWithTarget?: true
  open?: true
}

const OTHER_USERS = 'scope is all, or scope is user and userId names another user'
const NOT_PASSENGER = 'the user is not on the flight'
const TRACK_IN_BODY = 'the body has a track member, also when it is null'

/** The only source of scopes for hooks, challenges, documents, tools and tests. */
export const policy = {
  getDiscovery: { needs: [], open: true },
  getOpenApi: { needs: [], open: true },
  getMe: { needs: [] },
  getPreferences: { needs: ['profile.read'] },
  updatePreferences: { needs: ['preferences.write'] },
  listFlights: {
    needs: ['flight.read.own'],
    conditions: { otherUsers: { needs: 'flight.read.any', when: OTHER_USERS } },
  },
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
      trackGiven: { needs: 'tracks.write', when: TRACK_IN_BODY },
    },
  },
  getFlight: {
    needs: ['flight.read.own'],
    conditions: { notPassenger: { needs: 'flight.read.any', when: NOT_PASSENGER } },
    roleWithTarget: true,
  },
  updateFlight: {
    needs: ['flight.update.own'],
    conditions: {
      notPassenger: { needs: 'flight.update.any', when: NOT_PASSENGER },
      ownPassengersChange: {
        needs: 'flight.passengers.manage.own',
        when: 'the passengers change and the user is on the flight',
      },
      otherPassengersChange: {
        needs: 'flight.passengers.manage.any',
        when: 'the passengers change and the user is not on the flight',
      },
      trackGiven: { needs: 'tracks.write', when: TRACK_IN_BODY },
    },
    roleWithTarget: true,
  },
  deleteFlight: {
    needs: ['flight.delete.own'],
    conditions: { notPassenger: { needs: 'flight.delete.any', when: NOT_PASSENGER } },
    roleWithTarget: true,
  },
  getFlightTrack: {
    needs: ['tracks.read', 'flight.read.own'],
    conditions: { notPassenger: { needs: 'flight.read.any', when: NOT_PASSENGER } },
    roleWithTarget: true,
  },
  putFlightTrack: {
    needs: ['tracks.write', 'flight.update.own'],
    conditions: { notPassenger: { needs: 'flight.update.any', when: NOT_PASSENGER } },
    roleWithTarget: true,
  },
  deleteFlightTrack: {
    needs: ['tracks.write', 'flight.update.own'],
    conditions: { notPassenger: { needs: 'flight.update.any', when: NOT_PASSENGER } },
    roleWithTarget: true,
  },
  listFlightChanges: {
    needs: ['flight.read.own'],
    conditions: { otherUsers: { needs: 'flight.read.any', when: OTHER_USERS } },
  },
  exportFlights: {
    needs: ['flight.export.own'],
    conditions: { otherUsers: { needs: 'flight.export.any', when: OTHER_USERS } },
  },
  importFlights: {
    needs: ['flight.import.own'],
    conditions: { restore: { needs: 'flight.import.any', when: 'mode is restore' } },
  },
  getStats: {
    needs: ['stats.read', 'flight.read.own'],
    conditions: { otherUsers: { needs: 'flight.read.any', when: OTHER_USERS } },
  },
  getStatsBreakdown: {
    needs: ['stats.read', 'flight.read.own'],
    conditions: { otherUsers: { needs: 'flight.read.any', when: OTHER_USERS } },
  },
  getStatsRecords: {
    needs: ['stats.read', 'flight.read.own'],
    conditions: { otherUsers: { needs: 'flight.read.any', when: OTHER_USERS } },
  },
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
