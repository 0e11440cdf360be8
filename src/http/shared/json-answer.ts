import { jsonOf } from '../../contract/answer.ts'

const [LIST_START, COMMA] = [Buffer.from('{"data":['), Buffer.from(',')]

const bytesOf = (json: string | Buffer) => (typeof json === 'string' ? Buffer.from(json) : json)

/** A text leaves together with the head of its answer, in one piece; bytes are not worth making a text of. */
function oneRecord(json: string | Buffer): string | Buffer {
  if (typeof json === 'string') return `{"data":${json}}`
  return Buffer.concat([Buffer.from('{"data":'), json, Buffer.from('}')])
}

function list(records: readonly unknown[], { data: _, ...rest }: { data: unknown }): Buffer {
  const parts = records.flatMap((record, index) => {
    const json = bytesOf(jsonOf(record)!)
    return index === 0 ? [json] : [COMMA, json]
  })
  const end = JSON.stringify(rest).replace('{', Object.keys(rest).length > 0 ? '],' : ']')
  return Buffer.concat([LIST_START, ...parts, Buffer.from(end)])
}

/** The body of an answer whose records are JSON already, or undefined for one that has yet to be serialized. */
export function readyBody(answer: unknown): string | Buffer | undefined {
  if (typeof answer !== 'object' || answer === null || !('data' in answer)) return undefined
  const { data } = answer
  // Either all records of a list are ready or none is.
  if (Array.isArray(data)) return jsonOf(data[0]) === undefined ? undefined : list(data, answer)
  const json = jsonOf(data)
  return json === undefined ? undefined : oneRecord(json)
}
