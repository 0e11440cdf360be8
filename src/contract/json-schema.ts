import * as z from 'zod'

type Schema = Record<string, unknown>

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** Others are irrelevant for a serializer, or slow it down. */
const SERIALIZER_KEYWORDS = ['type', 'properties', 'required', 'items', 'additionalProperties', 'anyOf', 'const']

const mapValues = (object: object, map: (value: unknown, key: string) => unknown): Schema =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]))

/** Collapses `anyOf [X, null]` to a nullable X, which halves the generated code. */
function forSerializer(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forSerializer)
  if (!isSchema(value)) return value
  const branches = value.anyOf
  if (Array.isArray(branches) && branches.length === 2) {
    const [other, none] = branches as Schema[]
    if (none?.type === 'null' && other?.type) return { ...(forSerializer(other) as Schema), nullable: true }
  }
  const kept = Object.entries(value).filter(
    ([key, child]) => SERIALIZER_KEYWORDS.includes(key) && !(key === 'additionalProperties' && child === false),
  )
  return mapValues(Object.fromEntries(kept), (child, key) => {
    if (key === 'required') return child
    return key === 'properties' ? mapValues(child as Schema, forSerializer) : forSerializer(child)
  })
}

export function serializerSchema(schema: z.ZodType): Schema {
  const plain = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'output',
    metadata: z.registry(),
    unrepresentable: 'any',
  })
  return forSerializer(plain) as Schema
}

export function cleanJsonSchema({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: object }): void {
  const schema = jsonSchema as Schema
  // zod omits examples of transformed members.
  const { examples } = z.globalRegistry.get(zodSchema) ?? {}
  if (examples) schema.examples = examples
  // Path and query values are text, but documented with their actual type.
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

/** Writes `type: [X, null]` as `anyOf: [X, null]`, the form that nullable references have. */
export function expandNullTypes(value: unknown): void {
  if (!isSchema(value)) return
  for (const [key, child] of Object.entries(value)) if (key !== 'examples') expandNullTypes(child)
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

/** Many readers of tool schemas do not resolve references. */
function inlineReferences(value: unknown, definitions: Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => inlineReferences(item, definitions))
  if (!isSchema(value)) return value
  const { $ref, allOf, ...rest } = value
  // A reference with siblings is wrapped in allOf.
  const reference = $ref ?? (allOf as Schema[] | undefined)?.[0]?.$ref
  const target = typeof reference === 'string' ? (definitions[reference.slice('#/definitions/'.length)] as Schema) : {}
  const { id: _name, ...whole }: Schema = { ...target, ...rest }
  if (isSchema((whole.examples as unknown[] | undefined)?.[0])) delete whole.examples
  const inline = (child: unknown) => inlineReferences(child, definitions)
  return mapValues(whole, (child, key) => {
    if (['examples', 'enum', 'required', 'default'].includes(key)) return child
    return key === 'properties' ? mapValues(child as Schema, inline) : inline(child)
  })
}

/** Valid in draft-07 and 2020-12. Names no dialect, because some readers accept only their own. */
export function plainSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const converted = z.toJSONSchema(schema, {
    target: 'draft-7',
    io,
    override: cleanJsonSchema,
    unrepresentable: 'any',
  }) as Schema
  const { $schema: _dialect, definitions = {}, ...rest } = converted
  return inlineReferences(rest, definitions as Schema) as Schema
}
