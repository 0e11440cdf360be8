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
  const serialize = remembering(fastJson(serializerSchema(schema)) as Serialize)
  compiled.set(schema, serialize)
  return serialize
}

/** A frozen answer has the same text every time. */
function remembering(serialize: Serialize): Serialize {
  const texts = new WeakMap<object, string>()
  return (data) => {
    if (typeof data !== 'object' || !Object.isFrozen(data)) return serialize(data)
    const known = texts.get(data as object)
    if (known !== undefined) return known
    // In one piece: as the rope it was joined from, it would be walked again for every answer.
    const text = Buffer.from(serialize(data)).toString()
    texts.set(data as object, text)
    return text
  }
}
