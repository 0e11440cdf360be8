import { Flight } from '../../domain/flights/contract.ts'
import { Me } from '../../domain/profile/contract.ts'
import { serializerOf } from './serializer.ts'

/** The v1 JSON of records that services cache as text. */
export const recordWriters = {
  flight: serializerOf(Flight) as (flight: Flight) => string,
  me: serializerOf(Me) as (me: Me) => string,
}
