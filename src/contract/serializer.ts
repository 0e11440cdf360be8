import fastJson from 'fast-json-stringify'
import type { z } from 'zod'
import { serializerSchema } from './json-schema.ts'

type Serialize = (data: unknown) => string

const compiled = new WeakMap<z.ZodType, Serialize>()

/** A compiled serializer that lets only the members of the contract out; built when it is first needed. */
export function serializerOf(schema: z.ZodType): Serialize {
  let serialize: Serialize | undefined
  return (data) => {
    serialize ??= compile(schema)
    return serialize(data)
  }
}

/** Many routes answer with the same schema, the error object first of all. */
function compile(schema: z.ZodType): Serialize {
  const known = compiled.get(schema)
  if (known) return known
  const serialize = fastJson(serializerSchema(schema)) as Serialize
  compiled.set(schema, serialize)
  return serialize
}
