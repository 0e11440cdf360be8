import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scopeNames } from '../../src/access/scopes.ts'
import { createServices } from '../../src/app/services.ts'
import { closeDatabase, type Db, openDatabase } from '../../src/db/open.ts'
import { MIGRATION_LIMITS } from '../../src/db/postgres/client.ts'
import { postgresOf } from '../../src/db/postgres/open.ts'
import { type PackedTrack, packTrack } from '../../src/domain/flights/tracks/packing.ts'
import { digest, newApiKey } from '../../src/lib/secret.ts'

export interface LargeOptions {
  flights: number
  users: number
  /** Flights of the user with the longest log; the others share the rest. */
  longest?: number
}

export interface LargeUser {
  id: string
  /** An API key with all scopes. */
  key: string
}

export interface LargeDatabase {
  /** May read the flights of all users, and has a log of average length. */
  owner: LargeUser
  /** Has the longest log. */
  frequent: LargeUser
  /** Has a log of average length. */
  average: LargeUser
}

/** The day after the newest flights that are not planned. */
const LAST_DAY = '2026-06-01'
const DAYS = 10_000

const TRACK: Parameters<typeof packTrack>[0] = {
  coordinates: [
    [8.5, 47.4],
    [-9.1, 38.7],
  ],
  sourceFormat: 'gpx',
  sourceName: null,
}

/** A pseudo-random integer below `count`, a function of the row and a salt. */
const random = (salt: number, count: number | string, row = 'i') =>
  `((hashint8extended(${row}, ${salt}) & 1073741823) % ${count})::int`
/** As `random`, with small values more often. */
const skewed = (salt: number, count: number | string) =>
  `floor(power((hashint8extended(i, ${salt}) & 1073741823) / 1073741824.0, 3) * ${count})::int`
const pick = (salt: number, values: readonly (string | null)[]) =>
  `(array[${values.map((value) => (value === null ? 'null' : `'${value.replaceAll("'", "''")}'`)).join(', ')}])[1 + ${random(salt, values.length)}]`

const FREQUENT_NOTES = [
  'Window seat, clear view of the coast.',
  'Delayed by an hour because of the weather.',
  'Upgraded to business at the gate.',
  'Lost luggage, arrived two days later.',
  'Long queue at security. Good coffee.',
  'Zürich, Fensterplatz',
  'À bientôt, Genève!',
  'Straße gesperrt, Taxi zum Flughafen',
  '東京から大阪',
]
const ADJECTIVES = ['quiet', 'bumpy', 'early', 'late', 'empty', 'crowded', 'smooth', 'short', 'sunny', 'rainy']
const NOUNS = ['approach', 'landing', 'breakfast', 'sunrise', 'crew', 'lounge', 'connection', 'meeting', 'holiday']
/** Each is in one note of this many. */
const RARE_EVERY = 20_000
const RARE_NOTES = ['A kingfisher at the pond', 'Ein Eisvogel über Ågården', 'Ωμέγα']
const FIRST_NAMES = ['Ada', 'Bo', 'Chloé', 'Dag', 'Eva', 'Finn', 'Grete', 'Håkon', 'Iris', 'Jürgen', 'Kim', 'Łucja']
const LAST_NAMES = ['Andersen', 'Bär', 'Costa', 'Dubois', 'Eriksson', 'Fischer', 'García', 'Hansen', 'Ito', 'Jones']

const NUMBER = `case when ${random(5, 10)} < 8 then coalesce(airline.iata, 'XX') || ${pick(6, ['', ' '])} || (100 + ${random(7, 2000)}) end`
const REGISTRATION = `case when ${random(8, 10)} < 6 then ${pick(9, ['HB-J', 'OY-K', 'G-EU', 'N7'])}
  || chr(65 + ${random(10, 26)}) || chr(65 + ${random(11, 26)}) end`
const NOTE = `case
  ${RARE_NOTES.map((note, index) => `when i % ${RARE_EVERY} = ${index + 1} then '${note}'`).join('\n')}
  when ${random(12, 10)} < 2 then ${pick(13, FREQUENT_NOTES)}
  when ${random(12, 10)} < 5 then initcap(${pick(14, ADJECTIVES)}) || ' ' || ${pick(15, NOUNS)} || ', booking '
    || substr(md5(i::text), 1, 8) || '. ' || repeat(${pick(16, FREQUENT_NOTES)} || ' ', ${random(17, 4)}) end`

/** Great-circle distance in meters. */
const DISTANCE = `2 * 6371008.8 * asin(sqrt(least(1, power(sind((destination.latitude - origin.latitude) / 2), 2)
  + cosd(origin.latitude) * cosd(destination.latitude) * power(sind((destination.longitude - origin.longitude) / 2), 2))))`

const fillStatements = ({ flights, users, longest }: Required<LargeOptions>, track: PackedTrack) => [
  // Without triggers and checks of foreign keys, whose rows follow below.
  'set session_replication_role = replica',
  `insert into users (id, username, display_name, password_hash, role_id, is_owner, created_at, updated_at)
   select 'user' || i, 'user' || i, ${pick(1, FIRST_NAMES)} || ' ' || ${pick(2, LAST_NAMES)} || ' ' || i, '',
     case when i > 0 then (select id from roles where is_default = 1) end, (i = 0)::int, 0, 0
   from generate_series(0, ${users - 1}) i`,
  `insert into custom_fields (entity_type, key, label, field_type, required, sort_order, active, created_at, updated_at)
   values ('flight', 'booking', 'Booking', 'text', 0, 0, 1, 0, 0), ('flight_passenger', 'meal', 'Meal', 'text', 0, 0, 1, 0, 0)`,
  `create temporary table some_airports as
     select row_number() over (order by type, md5(icao)) - 1 as place, id from airports where iata is not null limit 1500`,
  `create temporary table some_airlines as
     select row_number() over (order by md5(id::text)) - 1 as place, id, iata from airlines where iata is not null limit 200`,
  `create temporary table some_aircraft as
     select row_number() over (order by md5(id::text)) - 1 as place, id from aircraft where icao is not null limit 60`,
  'analyze some_airports, some_airlines, some_aircraft',
  `insert into trips (id, user_id, name, created_at, updated_at)
   select i, 'user' || i % ${users}, 'Trip ' || i, 0, 0 from generate_series(1, ${2 * users}) i`,
  // Ids are in the order of the dates with exceptions, as in logs that people keep and import.
  `create temporary table plan as
     select i as id, case when i % ${Math.floor(flights / longest)} = 0 and i / ${Math.floor(flights / longest)} <= ${longest} then 1
         else (array_remove(array[0, ${random(20, users)}], 1))[2 - (${random(21, users)} = 0)::int] end as user_index,
       (date '${LAST_DAY}' - ${DAYS} + ((i * ${DAYS + 100}::bigint) / ${flights})::int - ${random(3, 4)} * ${random(4, 300)})::text as date,
       ${skewed(22, '(select count(*) from some_airports)')} as origin,
       ${skewed(23, '(select count(*) from some_airports)')} as destination,
       case when ${random(24, 20)} > 0 then ${skewed(25, '(select count(*) from some_airlines)')} end as airline,
       case when ${random(26, 10)} > 0 then ${skewed(27, '(select count(*) from some_aircraft)')} end as type
     from generate_series(1, ${flights}) i`,
  'update plan set user_index = 0 where user_index is null',
  'analyze plan',
  `insert into flights (id, date, date_precision, departure, arrival, duration, departure_terminal, flight_number, aircraft_reg,
     note, from_id, to_id, airline_id, aircraft_id, distance_meters, completed_from, created_at, updated_at, last_change)
   select i, date, case ${random(30, 50)} when 0 then 'month' when 1 then 'year' else 'day' end,
     case when isTimed then date || 'T10:20:00.000Z' end, case when isTimed then date || 'T13:15:00.000Z' end,
     case when isTimed then 10500 end, ${pick(31, ['1', '2', 'B', null])}, ${NUMBER}, ${REGISTRATION}, ${NOTE},
     origin.id, destination.id, airline.id, type.id, ${DISTANCE}, extract(epoch from date::date)::bigint * 1000 + 47700000,
     date || 'T20:00:00.000Z', date || 'T20:00:00.000Z', i
   from (select plan.*, id as i, ${random(32, 10, 'id')} < 8 as isTimed from plan) plan
     join some_airports o on o.place = plan.origin join airports origin on origin.id = o.id
     join some_airports d on d.place = plan.destination join airports destination on destination.id = d.id
     left join some_airlines airline on airline.place = plan.airline left join some_aircraft type on type.place = plan.type
   order by i`,
  `insert into passengers (flight_id, user_id, guest_name, seat, seat_number, seat_class, flight_reason, date, trip_id)
   select i, 'user' || user_index, null, ${pick(40, ['window', 'aisle', 'middle', null])}, ${pick(41, ['7A', '12C', null])},
     ${pick(42, ['economy', 'economy', 'economy+', 'business', null])}, ${pick(43, ['leisure', 'business', null])}, date,
     case when i % 25 = 0 then user_index + case when user_index = 0 then ${users} else 0 end end
   from (select plan.*, id as i from plan) plan order by i`,
  // Companions; a user cannot be on a flight twice.
  `insert into passengers (flight_id, user_id, guest_name, seat, seat_number, seat_class, flight_reason, date)
   select i, 'user' || (user_index + 2 + ${random(44, 5)}) % ${users}, null, 'aisle', null, 'economy', null, date
   from (select plan.*, id as i from plan) plan
   where ${random(45, 10)} = 0 and (user_index + 2 + ${random(44, 5)}) % ${users} not in (1, user_index) order by i`,
  `insert into passengers (flight_id, user_id, guest_name, date)
   select i, null, ${pick(46, FIRST_NAMES)} || ' ' || ${pick(47, LAST_NAMES)}, date
   from (select plan.*, id as i from plan) plan where ${random(48, 10)} < 2 order by i`,
  `insert into flight_values (flight_id, field_id, value)
   select id, (select id from custom_fields where key = 'booking'), to_json(substr(md5(id::text), 1, 6))::text from plan where id % 10 = 0`,
  `insert into passenger_values (passenger_id, field_id, value)
   select id, (select id from custom_fields where key = 'meal'), '"fish"' from passengers where id % 20 = 0`,
  `insert into flight_tracks (flight_id, point_count, source_format, points, created_at, updated_at)
   select id, ${track.pointCount}, 'gpx', decode('${track.points.toString('hex')}', 'hex'), date, date from plan where id % 200 = 0`,
  `insert into flight_track_lines (flight_id, line)
   select flight_id, decode('${track.line.toString('hex')}', 'hex') from flight_tracks order by flight_id`,
  `insert into change_positions (seq, at, tag) select id, 0, substring(uuid_send(gen_random_uuid()) from 1 for 8) from plan order by id`,
  `insert into flight_changes (user_id, seq, flight_id) select '', id, id from plan order by id`,
  `insert into flight_changes (user_id, seq, flight_id)
   select user_id, flight_id, flight_id from passengers where user_id is not null order by user_id, flight_id`,
  ...['flights', 'trips', 'passengers', 'change_positions'].map((table) => {
    const id = table === 'change_positions' ? 'seq' : 'id'
    return `select setval(pg_get_serial_sequence('${table}', '${id}'), (select max(${id}) from ${table}))`
  }),
  'drop table plan, some_airports, some_airlines, some_aircraft',
  'set session_replication_role = origin',
]

function insertKey({ $client }: Db, id: string): LargeUser {
  const key = newApiKey()
  $client
    .prepare('insert into api_keys (user_id, name, hash, scopes, created_at) values (?, ?, ?, ?, 0)')
    .run(id, 'large', digest(key), JSON.stringify(scopeNames))
  return { id, key }
}

/**
 * Fills an empty PostgreSQL database with the shipped reference data and many flights. Needs a superuser. A million flights
 * take about two minutes.
 */
export async function fillLarge(url: string, options: LargeOptions): Promise<LargeDatabase> {
  const { flights, users, longest = Math.min(10_000, Math.floor(flights / 10)) } = options
  const dataDir = mkdtempSync(join(tmpdir(), 'paxlog-large-'))
  const db = openDatabase(dataDir, url)
  try {
    const services = createServices({ db })
    await services.roles.installBuiltIn()
    await services.reference.loadShipped()
    postgresOf(db)!.setLimits(MIGRATION_LIMITS)
    const { packed } = await packTrack(TRACK)
    for (const statement of fillStatements({ flights, users, longest }, packed)) db.$client.exec(statement)
    // Test servers run no autovacuum.
    db.$client.exec('vacuum analyze')
    return { owner: insertKey(db, 'user0'), frequent: insertKey(db, 'user1'), average: insertKey(db, 'user2') }
  } finally {
    closeDatabase(db)
    rmSync(dataDir, { recursive: true, force: true })
  }
}
