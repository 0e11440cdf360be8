import * as z from 'zod'

type Schema = Record<string, unknown>

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** What the documents need to know and a serializer does not. */
const KEEP_FOR_SERIALIZER = new Set([
  'type',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'anyOf',
  'const',
])

/** `anyOf [X, null]` becomes a nullable X: half the generated code for every member that may be null. */
function slim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(slim)
  if (!isSchema(value)) return value
  const branches = value.anyOf
  if (Array.isArray(branches) && branches.length === 2) {
    const [other, none] = branches as Schema[]
    if (none?.type === 'null' && other?.type) return { ...(slim(other) as Schema), nullable: true }
  }
  const kept: Schema = {}
  for (const [key, child] of Object.entries(value)) {
    if (!KEEP_FOR_SERIALIZER.has(key)) continue
    if (key === 'additionalProperties' && child === false) continue
    kept[key] =
      key === 'properties'
        ? Object.fromEntries(Object.entries(child as Schema).map(([name, schema]) => [name, slim(schema)]))
        : key === 'required'
          ? child
          : slim(child)
  }
  return kept
}

/** The answer's shape as the compiled serializer wants it: inlined, without formats and limits. */
export function serializerSchema(schema: z.ZodType): Schema {
  const plain = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'output',
    metadata: z.registry(),
    unrepresentable: 'any',
  })
  return slim(plain) as Schema
}

/** Tidies what zod writes into the public documents; given to every conversion as its `override`. */
export function tidy({ jsonSchema }: { jsonSchema: object }): void {
  const schema = jsonSchema as Schema
  // A value that travels as text in a path or query is documented as what it means.
  if (isSchema(schema.override)) {
    const { override, description } = schema
    for (const key of Object.keys(schema)) delete schema[key]
    Object.assign(schema, description !== undefined && { description }, override)
  }
  // Generators of clients take a member with a default for one that must be sent, so the default is told in words.
  if ('default' in schema) {
    const told = `Default: \`${JSON.stringify(schema.default)}\`.`
    schema.description = schema.description ? `${schema.description} ${told}` : told
    delete schema.default
  }
  // Clients must tolerate members they do not know (contract 1.2).
  if (schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.format === 'date') delete schema.pattern
}

/** Every local reference written out, since many readers of tool schemas follow none. */
function writtenOut(value: unknown, definitions: Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => writtenOut(item, definitions))
  if (!isSchema(value)) return value
  const { $ref, allOf, ...rest } = value
  // Beside other members a reference stands alone in an allOf.
  const reference = $ref ?? (allOf as Schema[] | undefined)?.[0]?.$ref
  const target = typeof reference === 'string' ? (definitions[reference.slice('#/definitions/'.length)] as Schema) : {}
  const { id: _name, ...whole } = { ...target, ...rest }
  return Object.fromEntries(
    Object.entries(whole).map(([key, child]) => {
      if (key === 'examples' || key === 'enum' || key === 'required') return [key, child]
      if (key !== 'properties') return [key, writtenOut(child, definitions)]
      const members = Object.entries(child as Schema).map(([name, schema]) => [name, writtenOut(schema, definitions)])
      return [key, Object.fromEntries(members)]
    }),
  )
}

/**
 * Plain JSON Schema that readers of draft-07 and of 2020-12 understand alike.
 * It names no dialect: some readers refuse every one but their own.
 */
export function plainSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const converted = z.toJSONSchema(schema, { target: 'draft-7', io, override: tidy, unrepresentable: 'any' }) as Schema
  const { $schema: _dialect, definitions = {}, ...rest } = converted
  return writtenOut(rest, definitions as Schema) as Schema
}
