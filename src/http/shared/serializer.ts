import fastJson from 'fast-json-stringify'
import type { z } from 'zod'
import { serializerSchema } from '../../contract/json-schema.ts'

type Serialize = (data: unknown) => string

const compiled = new WeakMap<z.ZodType, Serialize>()

/** A compiled serializer that lets only the members of the contract out; built when it is first needed. */
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
