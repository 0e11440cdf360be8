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
function forSerializer(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forSerializer)
  if (!isSchema(value)) return value
  const branches = value.anyOf
  if (Array.isArray(branches) && branches.length === 2) {
    const [other, none] = branches as Schema[]
    if (none?.type === 'null' && other?.type) return { ...(forSerializer(other) as Schema), nullable: true }
  }
  const kept: Schema = {}
  for (const [key, child] of Object.entries(value)) {
    if (!KEEP_FOR_SERIALIZER.has(key)) continue
    if (key === 'additionalProperties' && child === false) continue
    kept[key] =
      key === 'properties'
        ? Object.fromEntries(Object.entries(child as Schema).map(([name, schema]) => [name, forSerializer(schema)]))
        : key === 'required'
          ? child
          : forSerializer(child)
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
  return forSerializer(plain) as Schema
}

/** Cleans what zod writes into the public documents; given to every conversion as its `override`. */
export function cleanJsonSchema({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: object }): void {
  const schema = jsonSchema as Schema
  // zod leaves examples out where a member is transformed, since it cannot know that they show what is sent.
  const { examples } = z.globalRegistry.get(zodSchema) ?? {}
  if (examples) schema.examples = examples
  // A value that travels as text in a path or query is documented as what it means.
  if (isSchema(schema.override)) {
    const { override, description, default: fallback } = schema
    for (const key of Object.keys(schema)) delete schema[key]
    Object.assign(schema, override)
    if (description !== undefined) schema.description = description
    if (fallback !== undefined && !('default' in override)) schema.default = fallback
  }
  // Clients must tolerate members they do not know (contract 1.2).
  if (schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.format === 'date') delete schema.pattern
}

const ANNOTATIONS = new Set(['description', 'default', 'examples'])

/** `type: [X, null]` as `anyOf: [X, null]`, which is also how a reference is nullable: readers meet one form of null. */
export function nullAsAlternative(value: unknown): void {
  if (!isSchema(value)) return
  for (const [key, child] of Object.entries(value)) if (key !== 'examples') nullAsAlternative(child)
  if (!Array.isArray(value.type) || !value.type.includes('null')) return
  const types: unknown[] = value.type.filter((each) => each !== 'null')
  const others: Schema[] = types.map((type) => ({ type }))
  for (const [key, child] of Object.entries(value)) {
    if (ANNOTATIONS.has(key)) continue
    if (key !== 'type') for (const other of others) other[key] = child
    delete value[key]
  }
  value.anyOf = [...others, { type: 'null' }]
}

/** Every local reference written out, since many readers of tool schemas follow none. */
function withoutReferences(value: unknown, definitions: Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutReferences(item, definitions))
  if (!isSchema(value)) return value
  const { $ref, allOf, ...rest } = value
  // Beside other members a reference stands alone in an allOf.
  const reference = $ref ?? (allOf as Schema[] | undefined)?.[0]?.$ref
  const target = typeof reference === 'string' ? (definitions[reference.slice('#/definitions/'.length)] as Schema) : {}
  const { id: _name, ...whole }: Schema = { ...target, ...rest }
  // A whole record as an example costs a model more than it tells.
  if (isSchema((whole.examples as unknown[] | undefined)?.[0])) delete whole.examples
  return Object.fromEntries(
    Object.entries(whole).map(([key, child]) => {
      if (key === 'examples' || key === 'enum' || key === 'required' || key === 'default') return [key, child]
      if (key !== 'properties') return [key, withoutReferences(child, definitions)]
      const members = Object.entries(child as Schema).map(([name, schema]) => [
        name,
        withoutReferences(schema, definitions),
      ])
      return [key, Object.fromEntries(members)]
    }),
  )
}

/**
 * Plain JSON Schema that readers of draft-07 and of 2020-12 understand alike.
 * It names no dialect: some readers refuse every one but their own.
 */
export function plainSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const converted = z.toJSONSchema(schema, {
    target: 'draft-7',
    io,
    override: cleanJsonSchema,
    unrepresentable: 'any',
  }) as Schema
  const { $schema: _dialect, definitions = {}, ...rest } = converted
  return withoutReferences(rest, definitions as Schema) as Schema
}
