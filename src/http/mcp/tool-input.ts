import * as z from 'zod'
import { plainSchema } from '../../contract/json-schema.ts'
import type { FileInput, Operation } from '../../contract/operation.ts'
import { AppError, type ErrorDetail } from '../../lib/errors.ts'
import { english } from '../../messages/english.ts'

type Arguments = Readonly<Record<string, unknown>>

interface JsonSchema {
  properties: Record<string, Record<string, unknown>>
  required: string[]
  description?: string
}

/** Models may send back `nextCursor: null` of the last page. */
const isNullable = (name: string) => name === 'cursor'

/** Longer lists are rejected anyway, so the rest is ignored. */
const MAX_ITEMS = 1000

const isPlainItem = (item: unknown) => typeof item === 'number' || (typeof item === 'string' && !item.includes(','))

const isPlainList = (value: unknown) => Array.isArray(value) && value.slice(0, MAX_ITEMS).every(isPlainItem)

const textOf = (value: unknown) => String(Array.isArray(value) ? value.slice(0, MAX_ITEMS) : value)

const kinds = {
  integer: { fits: Number.isInteger, what: 'a whole number' },
  boolean: { fits: (value: unknown) => typeof value === 'boolean', what: 'true or false' },
  string: { fits: (value: unknown) => typeof value === 'string', what: 'text' },
  // In a query, items are separated by commas.
  array: { fits: isPlainList, what: 'a list of numbers or texts without commas' },
} as const

const isOmitted = (op: Operation, name: string) => op.alsoAs !== undefined && name === 'format'

const namesOf = (op: Operation, schema: z.ZodObject | undefined) =>
  Object.keys(schema?.shape ?? {}).filter((name) => !isOmitted(op, name))

function requireDistinct(op: Operation): void {
  const { params, query, body, file } = op.input
  if (body && !(body instanceof z.ZodObject)) throw new Error(`The body of ${op.id} must be an object to be a tool.`)
  const names = [...namesOf(op, params), ...namesOf(op, query), ...namesOf(op, body), ...(file ? [file.argument] : [])]
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice) throw new Error(`The operation ${op.id} has two inputs of the name ${twice}.`)
}

function schemaOf(op: Operation, part: z.ZodType | undefined): JsonSchema {
  const {
    properties = {},
    required = [],
    description,
  } = (part ? plainSchema(part, 'input') : {}) as Partial<JsonSchema>
  const visible = Object.entries(properties)
    .filter(([name]) => !isOmitted(op, name))
    // Query serialization is irrelevant for tools.
    .map(([name, { style: _, explode: __, ...schema }]) => [
      name,
      isNullable(name) ? { ...schema, type: [schema.type, 'null'] } : schema,
    ])
  return { properties: Object.fromEntries(visible), required, ...(description && { description }) }
}

const fileSchema = ({ argument }: FileInput): JsonSchema => ({
  properties: { [argument]: { type: 'string', description: 'The whole text of the file.' } },
  required: [argument],
})

export function toolInput(op: Operation) {
  requireDistinct(op)
  const { params, query, body, file } = op.input
  let parts: { params: JsonSchema; query: JsonSchema; body: JsonSchema } | undefined
  // Lazy: building all of them would take half of the startup time.
  const schemas = () => {
    parts ??= {
      params: schemaOf(op, params),
      query: schemaOf(op, query),
      body: file ? fileSchema(file) : schemaOf(op, body),
    }
    return parts
  }

  function schema(): Record<string, unknown> {
    const all = Object.values(schemas())
    const { description } = schemas().body
    const required = all.flatMap((part) => part.required)
    return {
      type: 'object',
      ...(description && { description }),
      properties: Object.assign({}, ...all.map((part) => part.properties)),
      ...(required.length > 0 && { required }),
    }
  }

  function toText({ properties }: JsonSchema, args: Arguments, errors: ErrorDetail[]): Record<string, string> {
    const found: Record<string, string> = {}
    for (const [name, { type }] of Object.entries(properties)) {
      const value = args[name]
      if (value === undefined || (value === null && isNullable(name))) continue
      const { fits, what } = kinds[(Array.isArray(type) ? type[0] : type) as keyof typeof kinds]
      if (fits(value)) found[name] = textOf(value)
      else errors.push({ code: 'invalid_type', path: [name], message: english.input.type({ type: what }) })
    }
    return found
  }

  function split(args: Arguments) {
    const errors: ErrorDetail[] = []
    const { params: path, query: search } = schemas()
    const texts = { params: toText(path, args, errors), query: toText(search, args, errors) }
    const [first] = errors
    if (first) {
      const reason = `${first.path[0]} ${first.message.replace('Must', 'must')}`
      throw new AppError('bad_request', `The arguments are not valid: ${reason}`, { details: errors })
    }
    return { ...texts, body: file ? fileOf(file, args) : args }
  }

  return { schema, split }
}

function fileOf({ argument, maxBytes = Infinity }: FileInput, args: Arguments): Buffer {
  const content = args[argument]
  if (typeof content === 'string') {
    if (Buffer.byteLength(content) <= maxBytes) return Buffer.from(content)
    throw new AppError('bad_request', `The ${argument} is larger than ${maxBytes / 1024 / 1024} MiB.`)
  }
  const message = content === undefined ? english.input.required : english.input.text
  throw new AppError('validation_failed', `The file is missing: send its text as ${argument}.`, {
    details: [{ code: 'invalid_type', path: [argument], message }],
  })
}
