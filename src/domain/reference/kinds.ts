export const referenceKinds = ['airports', 'airlines', 'aircraft'] as const
export type ReferenceKind = (typeof referenceKinds)[number]

/** Types of custom fields whose values are ids of records. */
const kindsOfFields: Readonly<Record<string, ReferenceKind>> = {
  airport: 'airports',
  airline: 'airlines',
  aircraft: 'aircraft',
}

export type RecordIds = Record<ReferenceKind, Set<number>>

type FlightRow = Partial<Record<'fromId' | 'toId' | 'airlineId' | 'aircraftId', number | null | undefined>>

export function idsInFlights(rows: readonly FlightRow[]): RecordIds {
  const ids: RecordIds = { airports: new Set(), airlines: new Set(), aircraft: new Set() }
  for (const { fromId, toId, airlineId, aircraftId } of rows) {
    if (fromId) ids.airports.add(fromId)
    if (toId) ids.airports.add(toId)
    if (airlineId) ids.airlines.add(airlineId)
    if (aircraftId) ids.aircraft.add(aircraftId)
  }
  return ids
}

/** Adds the id in a custom value, if its field refers to records. */
export function addFieldId(ids: RecordIds, fieldType: string, value: unknown): void {
  const kind = kindsOfFields[fieldType]
  if (kind && Number.isSafeInteger(value)) ids[kind].add(value as number)
}
