import { type JsonContent, jsonOf } from '../../contract/answer.ts'

/** Larger bodies are streamed from their parts. */
const MAX_JOINED_BYTES = 1024 * 1024

const LIST_START = Buffer.from('{"data":[')
const COMMA = Buffer.from(',')

/** One buffer is hashed and sent faster than many parts. */
function joined(parts: readonly Buffer[]): Buffer | readonly Buffer[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return length <= MAX_JOINED_BYTES ? Buffer.concat(parts, length) : parts
}

function partsOf(json: JsonContent): readonly Buffer[] {
  if (typeof json === 'string') return [Buffer.from(json)]
  return Buffer.isBuffer(json) ? [json] : (json as readonly Buffer[])
}

export const oneRecord = (json: JsonContent): JsonContent =>
  typeof json === 'string' ? `{"data":${json}}` : joined([Buffer.from('{"data":'), ...partsOf(json), Buffer.from('}')])

function list(records: readonly unknown[], { data: _, ...rest }: { data: unknown }): JsonContent {
  const parts: Buffer[] = [LIST_START]
  for (const record of records) {
    if (parts.length > 1) parts.push(COMMA)
    parts.push(...partsOf(jsonOf(record)!))
  }
  const end = JSON.stringify(rest).replace('{', Object.keys(rest).length > 0 ? '],' : ']')
  parts.push(Buffer.from(end))
  return joined(parts)
}

export function readyBody(answer: unknown): JsonContent | undefined {
  if (typeof answer !== 'object' || answer === null || !('data' in answer)) return undefined
  const { data } = answer
  // Either all records of a list are serialized or none is.
  if (Array.isArray(data)) return jsonOf(data[0]) === undefined ? undefined : list(data, answer)
  const json = jsonOf(data)
  return json === undefined ? undefined : oneRecord(json)
}

export function readyText(answer: unknown): string | undefined {
  const body = readyBody(answer)
  return body === undefined || typeof body === 'string' ? body : Buffer.concat(partsOf(body)).toString()
}
