import { type JsonContent, jsonOf } from '../../contract/answer.ts'

const [LIST_START, RECORD_START, COMMA, END] = ['{"data":[', '{"data":', ',', '}'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
]

function partsOf(json: JsonContent): readonly Buffer[] {
  if (typeof json === 'string') return [Buffer.from(json)]
  return Buffer.isBuffer(json) ? [json] : (json as readonly Buffer[])
}

/** Text is sent in one packet with the headers; bytes are not worth converting. */
export const oneRecord = (json: JsonContent): string | readonly Buffer[] =>
  typeof json === 'string' ? `{"data":${json}}` : [RECORD_START, ...partsOf(json), END]

function list(records: readonly unknown[], { data: _, ...rest }: { data: unknown }): readonly Buffer[] {
  const parts = [LIST_START]
  for (const record of records) {
    if (parts.length > 1) parts.push(COMMA)
    parts.push(...partsOf(jsonOf(record)!))
  }
  const end = JSON.stringify(rest).replace('{', Object.keys(rest).length > 0 ? '],' : ']')
  parts.push(Buffer.from(end))
  return parts
}

/** The body of a response whose records are serialized already, otherwise undefined. */
export function readyBody(answer: unknown): string | readonly Buffer[] | undefined {
  if (typeof answer !== 'object' || answer === null || !('data' in answer)) return undefined
  const { data } = answer
  // Either all records of a list are serialized or none is.
  if (Array.isArray(data)) return jsonOf(data[0]) === undefined ? undefined : list(data, answer)
  const json = jsonOf(data)
  return json === undefined ? undefined : oneRecord(json)
}

/** The same as one string. */
export function readyText(answer: unknown): string | undefined {
  const body = readyBody(answer)
  return body === undefined || typeof body === 'string' ? body : Buffer.concat(body).toString()
}
