import { isTextFile, type TextFile } from '../../contract/answer.ts'
import { plainSchema } from '../../contract/json-schema.ts'
import type { Operation } from '../../contract/operation.ts'
import { AppError } from '../../lib/errors.ts'
import { readyText } from '../shared/json-answer.ts'
import { serializerOf } from '../shared/serializer.ts'

const MOST_BYTES = 5 * 1024 * 1024

/** What a call was about; a deletion repeats it, since it has nothing else to say. */
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

/** A document that is written piece by piece, without its indentation; it is left as soon as it is clearly too long. */
async function collected(op: Operation, { pieces }: TextFile): Promise<string> {
  const kept: string[] = []
  let length = 0
  for await (const piece of pieces) {
    // JSON has no line breaks inside its texts.
    const compact = piece.replace(/\n */g, '')
    length += compact.length
    if (length > 2 * MOST_BYTES) throw tooLarge(op)
    kept.push(compact)
  }
  return JSON.stringify(JSON.parse(kept.join('')))
}

/** The shape of a result, and its text: the same that REST answers with. */
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
      ? (readyText(result) ?? (isTextFile(result) ? await collected(op, result) : serialize(result)))
      : JSON.stringify({ deleted: true, ...(params as object), ...(query as object) })
    if (Buffer.byteLength(written) > MOST_BYTES) throw tooLarge(op)
    return written
  }

  return { schema, text }
}
