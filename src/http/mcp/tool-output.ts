import { isTextFile, type TextFile } from '../../contract/answer.ts'
import { plainSchema } from '../../contract/json-schema.ts'
import type { Operation } from '../../contract/operation.ts'
import { AppError } from '../../lib/errors.ts'
import { readyText } from '../shared/json-answer.ts'
import { serializerOf } from '../shared/serializer.ts'

const MAX_RESULT_BYTES = 5 * 1024 * 1024

interface Subject {
  params?: unknown
  query?: unknown
}

const isReading = (op: Operation) => op.route.startsWith('GET ')

function tooLarge(op: Operation): AppError {
  const [method, path] = op.route.split(' ')
  const result = isReading(op) ? 'The result' : 'The call was carried out, but its result'
  const advice = `Ask for less, or use the REST API: ${method} /api/v1${path}.`
  return new AppError('bad_request', `${result} is larger than 5 MiB. ${advice}`)
}

/** Removes the indentation of a streamed document, and stops when it is clearly too long. */
async function collect(op: Operation, { pieces }: TextFile): Promise<string> {
  const chunks: string[] = []
  let length = 0
  for await (const piece of pieces) {
    // JSON strings contain no line breaks.
    const compact = piece.replace(/\n */g, '')
    length += compact.length
    if (length > 2 * MAX_RESULT_BYTES) throw tooLarge(op)
    chunks.push(compact)
  }
  return JSON.stringify(JSON.parse(chunks.join('')))
}

export function toolOutput(op: Operation) {
  const serialize = op.output && serializerOf(op.output)

  function schema(): { type: 'object' } & Record<string, unknown> {
    if (op.output) return { type: 'object', ...plainSchema(op.output, 'output') }
    const subject = [op.input.params, op.input.query].flatMap((part) => {
      const { properties = {} } = part ? plainSchema(part, 'input') : {}
      return Object.entries(properties as object)
    })
    return {
      type: 'object',
      properties: { deleted: { type: 'boolean', const: true }, ...Object.fromEntries(subject) },
      required: ['deleted', ...subject.map(([name]) => name)],
    }
  }

  async function text(result: unknown, { params, query }: Subject): Promise<string> {
    const written = serialize
      ? (readyText(result) ?? (isTextFile(result) ? await collect(op, result) : serialize(result)))
      : JSON.stringify({ deleted: true, ...(params as object), ...(query as object) })
    if (Buffer.byteLength(written) > MAX_RESULT_BYTES) throw tooLarge(op)
    return written
  }

  return { schema, text }
}
