import { isObject } from '../../../lib/objects.ts'
import { isWithinLength } from '../../../lib/text.ts'
import { english } from '../../../messages/english.ts'
import { datePrecisions, MAX_PASSENGERS, timePairs } from '../../flights/contract.ts'
import {
  type AirportName,
  checkRowCount,
  type FileFlight,
  type FilePassenger,
  type FileUser,
  type FlightReason,
  noteProblem,
  type ParsedFile,
  type ReferenceName,
  rowsOf,
  shown,
  UnreadableFile,
  withProblems,
} from './row.ts'
import { airport, calendarDay, classByName, exactMoment, named, reasonByName, seatByName } from './values.ts'

type JsonObject = Record<string, unknown>

const MAX_USER_TEXT_LENGTH = 200

/** Paxlog's export and AirTrail's backup, also in its older form with `seats` (contract 5.2). */
export function parseBackup({ flights, users: fileUsers }: JsonObject): ParsedFile {
  if (!Array.isArray(flights)) throw new UnreadableFile(english.import.noFlights)
  const list = fileUsers ?? []
  if (!Array.isArray(list)) throw new UnreadableFile(english.import.usersNotAList)
  checkRowCount(list.length, english.import.tooManyUsers)
  const users = list.flatMap((user: unknown) => fileUser(user) ?? [])
  const userById = new Map(users.map((user) => [user.id, user]))
  const read = (item: unknown) =>
    isObject(item) ? flightOf(item, userById) : noteProblem(english.import.flightNotAnObject)
  return { rows: rowsOf(() => flights, read), users }
}

function flightOf(item: JsonObject, users: Map<string, FileUser>): FileFlight {
  return {
    ...timesOf(item),
    date: dateOf(item),
    datePrecision: precisionOf(item.datePrecision),
    from: backupAirport('from', item.from),
    to: backupAirport('to', item.to),
    duration: durationOf(item.duration),
    durationFirst: true,
    airline: backupName('airline', item.airline),
    aircraft: backupName('aircraft', item.aircraft),
    flightNumber: textMember(item, 'flightNumber'),
    aircraftReg: textMember(item, 'aircraftReg'),
    departureTerminal: textMember(item, 'departureTerminal'),
    departureGate: textMember(item, 'departureGate'),
    arrivalTerminal: textMember(item, 'arrivalTerminal'),
    arrivalGate: textMember(item, 'arrivalGate'),
    note: textMember(item, 'note'),
    passengers: passengersOf(item, users),
    ...(!isAbsent(item.track) && { track: item.track }),
    ...customFieldsOf(item),
  }
}

function timesOf(item: JsonObject) {
  const times = timePairs.flat().flatMap((name) => {
    const text = textMember(item, name)
    return text === null ? [] : [[name, exactMoment(text)]]
  })
  return Object.fromEntries(times)
}

/** Defaults to the first 10 characters of the departure, its day in the file's own offset. */
function dateOf(item: JsonObject): string | null {
  const member = isAbsent(item.date) ? 'departure' : 'date'
  if (isAbsent(item[member])) return calendarDay('')
  const text = textMember(item, member)
  return text === null ? null : calendarDay(member === 'departure' ? text.slice(0, 10) : text)
}

const isAbsent = (value: unknown) => value === undefined || value === null

function precisionOf(value: unknown) {
  if (isAbsent(value)) return 'day'
  const precision = datePrecisions.find((known) => known === value)
  if (!precision) noteProblem(english.import.datePrecision({ value: shown(value), values: datePrecisions.join(', ') }))
  return precision ?? 'day'
}

function durationOf(value: unknown = null): number | null {
  if (value === null || (Number.isSafeInteger(value) && Number(value) >= 0)) return value as number | null
  return noteProblem(english.import.durationSeconds({ value: shown(value) }))
}

/** Texts of a backup are kept as they are, so that an export restored gives the same export. */
function textMember(item: JsonObject, name: string): string | null {
  const value = item[name] ?? null
  if (value === null || typeof value === 'string') return value
  return noteProblem(english.import.memberNotText({ field: name, value: shown(value) }))
}

const customFieldsOf = ({ customFields }: JsonObject) => (isObject(customFields) ? { customFields } : {})

function fileUser(value: unknown): FileUser | undefined {
  if (!isObject(value)) return undefined
  const [id, username] = [idOf(value.id), value.username]
  if (id === null || typeof username !== 'string') return undefined
  const displayName = typeof value.displayName === 'string' ? value.displayName : username
  // Every passenger is compared with these, so their length is limited.
  return [id, username, displayName].every((text) => isWithinLength(text, MAX_USER_TEXT_LENGTH))
    ? { id, username, displayName }
    : undefined
}

const idOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null

function passengersOf(item: JsonObject, users: Map<string, FileUser>): FilePassenger[] | null {
  const list = item.passengers ?? item.seats ?? []
  if (!Array.isArray(list)) return noteProblem(english.import.passengersNotAList({ value: shown(list) }))
  if (list.length > MAX_PASSENGERS) {
    return noteProblem(
      english.import.unusableWithoutValue({
        field: 'passengers',
        problem: english.input.maxItems({ count: MAX_PASSENGERS }),
      }),
    )
  }
  const reason = reasonByName(wordOf(item.flightReason))
  const { found, problems } = withProblems(() =>
    list.flatMap((passenger: unknown, index) => passengerOf(passenger, index + 1, reason, users) ?? []),
  )
  problems.forEach(noteProblem)
  return problems.length === 0 ? found : null
}

function passengerOf(
  passenger: unknown,
  number: number,
  reason: FlightReason | null,
  users: Map<string, FileUser>,
): FilePassenger | null {
  if (!isObject(passenger)) return noteProblem(english.import.passengerNotAnObject({ number }))
  const userId = idOf(passenger.userId)
  const user = (userId !== null && users.get(userId)) || fileUser(passenger.user) || null
  const guestName = textMember(passenger, 'guestName')
  if (!user && isAbsent(passenger.guestName)) {
    const { passengerWithoutName, passengerUnknown } = english.import
    noteProblem(userId === null ? passengerWithoutName({ number }) : passengerUnknown({ number, user: shown(userId) }))
  }
  return {
    user,
    guestName,
    seat: seatByName(wordOf(passenger.seat)),
    seatNumber: textMember(passenger, 'seatNumber'),
    seatClass: classByName(wordOf(passenger.seatClass)),
    flightReason: reasonByName(wordOf(passenger.flightReason)) ?? reason,
    ...customFieldsOf(passenger),
  }
}

const wordOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** An object by its ICAO code, by its plain code, or by its IATA code only when it has neither; or a bare code. */
export function backupAirport(role: 'from' | 'to', value: unknown): AirportName | null {
  if (!isObject(value)) {
    const bare = bareCode(value ?? '')
    return bare === null ? null : airport(role, 'code', bare)
  }
  const by = (['icao', 'code', 'iata'] as const).find((member) => wordOf(value[member]).trim()) ?? 'iata'
  const name = airport(role, by, wordOf(value[by]).trim())
  return name && { ...name, record: airportRecord(value) }
}

export function backupName(kind: 'airline' | 'aircraft', value: unknown): ReferenceName | null {
  if (isAbsent(value)) return null
  if (!isObject(value)) return named('', ['icao', bareCode(value) ?? undefined])
  const { name, icao } = value
  const iata = kind === 'airline' ? { iata: value.iata } : {}
  const text = wordOf(name).trim()
  const found = named(text, ['icao', wordOf(icao)], ['iata', wordOf(iata.iata)], ['name', text])
  return found && { ...found, record: { name, icao, ...iata } }
}

/** The members of an export under the names that a write of reference data has. */
function airportRecord(value: JsonObject): JsonObject {
  const { icao, code, iata, name, municipality, type, continent, country } = value
  return {
    icao: icao ?? code,
    iata,
    name,
    municipality,
    latitude: value.lat ?? value.latitude,
    longitude: value.lon ?? value.longitude,
    timezone: value.tz ?? value.timezone,
    type,
    continent,
    country,
  }
}

const bareCode = (value: unknown): string | null =>
  typeof value === 'string' ? value.trim() : noteProblem(english.import.codeNotText({ value: shown(value) }))
