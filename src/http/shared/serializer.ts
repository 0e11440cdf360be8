import fastJson from 'fast-json-stringify'
import type { z } from 'zod'
import { serializerSchema } from '../../contract/json-schema.ts'

type Serialize = (data: unknown) => string

/** Many routes share a schema, the error object above all. */
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
