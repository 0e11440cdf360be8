import fastJson from 'fast-json-stringify'
import type { z } from 'zod'
import { serializerSchema } from '../../contract/json-schema.ts'
import { Flight } from '../../domain/flights/contract.ts'
import { Me } from '../../domain/profile/contract.ts'
import { Trip } from '../../domain/trips/contract.ts'

type Serialize = (data: unknown) => string

const compiled = new WeakMap<z.ZodType, Serialize>()

/** A serializer that writes only members of the contract, compiled on first use. */
export function serializerOf(schema: z.ZodType): Serialize {
  return (data) => {
    let serialize = compiled.get(schema)
    if (!serialize) {
      serialize = fastJson(serializerSchema(schema)) as Serialize
      compiled.set(schema, serialize)
    }
    return serialize(data)
  }
}

export const recordWriters = {
  flight: serializerOf(Flight) as (flight: Flight) => string,
  me: serializerOf(Me) as (me: Me) => string,
  trip: serializerOf(Trip) as (trip: Trip) => string,
}
