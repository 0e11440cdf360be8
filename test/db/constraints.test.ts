import { describe, expect, test } from 'vitest'
import type { Db } from '../../src/db/open.ts'
import { openedDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/paxlog.ts'

/** Roles, two users, airports and one flight with a user and a guest. */
const START = `
  insert into roles (id, name, name_key, permissions, is_default, created_at, updated_at)
    values ('role-user', 'User', 'user', '[]', 1, 0, 0), ('role-crew', 'Crew', 'crew', '[]', 0, 0, 0);
  insert into users (id, username, display_name, password_hash, role_id, is_owner, created_at, updated_at)
    values ('owner', 'Owner', 'Owner', '', null, 1, 0, 0), ('ada', 'ada', 'Ada', '', 'role-user', 0, 0, 0);
  insert into airports (icao, name, latitude, longitude, timezone, type, continent, country)
    values ('EDDF', 'Frankfurt', 50, 8.5, 'Europe/Berlin', 'large_airport', 'EU', 'DE'),
           ('ENGM', 'Oslo', 60.2, 11.1, 'Europe/Oslo', 'large_airport', 'EU', 'NO');
  insert into airlines (source_id, name, name_key, icao) values ('DLH', 'Lufthansa', 'lufthansa', 'DLH'), (null, 'Own', 'own', null);
  insert into flights (id, date, date_precision, from_id, to_id, completed_from, created_at, updated_at)
    values (1, '2026-01-01', 'day', 1, 2, 0, 0, 0);
  insert into passengers (flight_id, user_id, guest_name, date) values (1, 'ada', null, '2026-01-01'), (1, null, 'Bob', '2026-01-01');
  insert into flight_tracks values (1, 2, 'gpx', null, x'00', 0, 0);
  insert into custom_fields (id, entity_type, key, label, field_type, required, sort_order, active, created_at, updated_at)
    values (1, 'flight', 'mood', 'Mood', 'text', 0, 0, 1, 0, 0), (2, 'flight_passenger', 'meal', 'Meal', 'text', 0, 0, 1, 0, 0);
  insert into flight_values values (1, 1, '"good"');
  insert into passenger_values values (1, 2, '"fish"');
  insert into sessions values (x'01', 'ada', 0, 0, null);
  insert into identities values ('https://id', 'sub', 'ada', 0, 0);
  insert into role_mappings values ('crew', 'role-crew');
  insert into used_sign_ins values (x'06', 0);
  insert into api_keys (user_id, name, hash, scopes, created_at) values ('ada', 'k', x'02', '[]', 0);
  insert into preferences values ('ada', '', '', '', '', '', '', '', '', '', '');
  insert into visited_countries (user_id, code, status) values ('ada', 'NO', 'visited');
  insert into shares (user_id, slug, show_map, show_stats, show_flight_list, show_flight_numbers, show_airlines, show_aircraft, show_times, show_tracks, show_dates, show_seat, created_at)
    values ('ada', 'summer', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0);
  insert into trips (id, user_id, name, created_at, updated_at) values (1, 'ada', 'Alps', 0, 0);
  update passengers set trip_id = 1 where user_id = 'ada';
  insert into calendars values ('ada', x'00', 0, 0);
  insert into oauth_clients values ('client', 'App', '[]', 'none', null, 0, 0, null);
  insert into oauth_grants (id, client_id, user_id, resource, scopes, redirect_host, approved_at) values (1, 'client', 'ada', 'r', '[]', 'h', 0);
  insert into oauth_families (id, grant_id, created_at) values (1, 1, 0);
  insert into oauth_refresh_tokens (hash, family_id, scopes, issued_at, expires_at) values (x'03', 1, '[]', 0, 0);
  insert into oauth_access_tokens (jti, family_id, expires_at) values ('j', 1, 0);
  insert into oauth_codes (hash, grant_id, redirect_uri, scopes, code_challenge, expires_at) values (x'04', 1, '', '[]', '', 0);
  insert into oauth_requests (id, client_id, redirect_uri, resource, scopes, code_challenge, browser_hash, user_id, expires_at)
    values ('q', 'client', '', '', '[]', '', x'05', 'ada', 0);
`

function openFilled(): Db {
  const db = openedDatabase(temporaryFolder())
  db.$client.exec(START)
  return db
}

const count = (db: Db, table: string) => db.$client.prepare(`select count(*) from ${table}`).pluck().get()

const user = (id: string, username: string, role = "'role-user'", owner = 0) =>
  `insert into users (id, username, display_name, password_hash, role_id, is_owner, created_at, updated_at)
   values ('${id}', '${username}', '', '', ${role}, ${owner}, 0, 0)`
const role = (id: string, key: string, isDefault: number, permissions = '[]') =>
  `insert into roles (id, name, name_key, permissions, is_default, created_at, updated_at)
   values ('${id}', '${key}', '${key}', '${permissions}', ${isDefault}, 0, 0)`
const airport = (icao: string, latitude: number | string, source = 'null') =>
  `insert into airports (source_id, icao, name, latitude, longitude, timezone, type, continent, country)
   values (${source}, '${icao}', 'x', ${latitude}, 0, 'UTC', 'small_airport', 'EU', 'DE')`
const airline = (key: string, icao: string) =>
  `insert into airlines (name, name_key, icao) values ('x', '${key}', ${icao})`
const passenger = (userId: string, guest: string) =>
  `insert into passengers (flight_id, user_id, guest_name, date) values (1, ${userId}, ${guest}, '2026-01-01')`
const flight = (precision: string, duration: string, from = 1) =>
  `insert into flights (date, date_precision, duration, from_id, to_id, completed_from, created_at, updated_at)
   values ('2026-01-01', '${precision}', ${duration}, ${from}, 2, 0, 0, 0)`
const slug = (text: string) =>
  `insert into shares (user_id, slug, show_map, show_stats, show_flight_list, show_flight_numbers, show_airlines, show_aircraft, show_times, show_tracks, show_dates, show_seat, created_at)
   values ('ada', '${text}', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0)`

describe('the schema rejects', () => {
  test.each([
    ['a user name that differs in case only', user('b', 'ADA')],
    ['a second owner', user('b', 'second', 'null', 1)],
    ['an owner with a role', user('b', 'second', "'role-user'", 1)],
    ['a user without a role', user('b', 'second', 'null', 0)],
    ['a user with an unknown role', user('b', 'second', "'role-none'")],
    ['a second default role', role('b', 'second', 1)],
    ['a role name that is taken', role('b', 'crew', 0)],
    ['permissions that are not JSON', role('b', 'second', 0, 'all')],
    ['deleting a role in use', "delete from roles where id = 'role-user'"],
    ['an ICAO code that is taken', airport('EDDF', 1)],
    ['a latitude beyond the pole', airport('XXXX', 90.1)],
    ['a text as latitude', airport('XXXX', "'north'")],
    ['deleting an airport in use', "delete from airports where icao = 'EDDF'"],
    ['a shipped airline twice', "insert into airlines (source_id, name, name_key) values ('DLH', 'x', 'x')"],
    ['an airline equal in name and code', airline('lufthansa', "'DLH'")],
    ['an airline equal in name without a code', airline('own', 'null')],
    ['an unknown precision', flight('week', 'null')],
    ['a negative duration', flight('day', '-1')],
    ['a flight from nowhere', flight('day', 'null', 99)],
    ['the same user twice on a flight', passenger("'ada'", 'null')],
    ['the same guest twice on a flight', passenger('null', "'Bob'")],
    ['a passenger who is both user and guest', passenger("'owner'", "'Eve'")],
    ['a passenger who is neither', passenger('null', 'null')],
    ['a share address that differs in case only', slug('SUMMER')],
    [
      'a country twice for a user',
      "insert into visited_countries (user_id, code, status) values ('ada', 'NO', 'lived')",
    ],
    [
      'an unknown kind of visit',
      "insert into visited_countries (user_id, code, status) values ('ada', 'SE', 'dreamt')",
    ],
    ['a custom field of an unknown kind of record', "update custom_fields set entity_type = 'airport' where id = 1"],
    ['a public client with a secret', "update oauth_clients set secret_hash = x'00'"],
    [
      'a second grant for client, user and resource',
      "insert into oauth_grants (client_id, user_id, resource, scopes, redirect_host, approved_at) values ('client', 'ada', 'r', '[]', 'h', 0)",
    ],
    [
      'the same key twice',
      "insert into api_keys (user_id, name, hash, scopes, created_at) values ('owner', 'k', x'02', '[]', 0)",
    ],
    ['scopes that are not JSON', "update api_keys set scopes = 'read'"],
    ['an identity of the provider twice', "insert into identities values ('https://id', 'sub', 'owner', 0, 0)"],
    ['a second identity of the provider for a user', "insert into identities values ('https://id', 'b', 'ada', 0, 0)"],
    ['a claim value for two roles', "insert into role_mappings values ('crew', 'role-user')"],
    ['an answer of the provider twice', "insert into used_sign_ins values (x'06', 1)"],
  ])('%s', (_what, statement) => {
    const db = openFilled()
    expect(() => db.$client.exec(statement)).toThrow(/constraint|cannot store/i)
  })
})

describe('the schema accepts', () => {
  test.each([
    ['another user', user('b', 'bob')],
    ['another role', role('b', 'second', 0)],
    ['an airline equal in name with another code', airline('lufthansa', "'LHX'")],
    ['another guest', passenger('null', "'Eve'")],
    ['an airport at the pole', airport('XXXX', 90)],
    ['a flight without duration', flight('year', 'null')],
  ])('%s', (_what, statement) => {
    expect(() => openFilled().$client.exec(statement)).not.toThrow()
  })
})

describe('deleting', () => {
  test('a user deletes everything that belongs only to them', () => {
    const db = openFilled()
    db.$client.exec("delete from users where id = 'ada'")
    for (const table of [
      'sessions',
      'identities',
      'api_keys',
      'preferences',
      'visited_countries',
      'shares',
      'trips',
      'calendars',
      'oauth_grants',
      'oauth_families',
      'oauth_refresh_tokens',
      'oauth_access_tokens',
      'oauth_codes',
      'oauth_requests',
      'passenger_values',
    ]) {
      expect([table, count(db, table)]).toEqual([table, 0])
    }
    expect(db.$client.prepare('select guest_name from passengers').pluck().all()).toEqual(['Bob'])
    expect(count(db, 'oauth_clients')).toBe(1)
  })

  test('a trip keeps its flights', () => {
    const db = openFilled()
    db.$client.exec('delete from trips')
    expect(db.$client.prepare("select trip_id from passengers where user_id = 'ada'").pluck().all()).toEqual([null])
  })

  test('a flight deletes passengers, values and track', () => {
    const db = openFilled()
    db.$client.exec('delete from flights')
    for (const table of ['passengers', 'flight_values', 'passenger_values', 'flight_tracks']) {
      expect([table, count(db, table)]).toEqual([table, 0])
    }
    expect(count(db, 'custom_fields')).toBe(2)
  })

  test('a custom field deletes its values', () => {
    const db = openFilled()
    db.$client.exec('delete from custom_fields')
    expect([count(db, 'flight_values'), count(db, 'passenger_values'), count(db, 'flights')]).toEqual([0, 0, 1])
  })

  test('an application deletes its grants and requests', () => {
    const db = openFilled()
    db.$client.exec('delete from oauth_clients')
    for (const table of ['oauth_grants', 'oauth_families', 'oauth_codes', 'oauth_requests']) {
      expect([table, count(db, table)]).toEqual([table, 0])
    }
  })

  test('a row never makes its id available again', () => {
    const db = openFilled()
    db.$client.exec('delete from flights')
    db.$client.exec(flight('day', 'null'))
    expect(db.$client.prepare('select id from flights').pluck().all()).toEqual([2])
  })
})
