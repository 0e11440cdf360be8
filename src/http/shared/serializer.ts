import fastJson from 'fast-json-stringify'
import type { z } from 'zod'
import { serializerSchema } from '../../contract/json-schema.ts'

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

/** The text of records that many others hold, such as airports: written once for each of them, as long as it is the same object. */
export function rememberedText<Kept extends object>(write: (record: Kept) => string): (record: Kept | null) => string {
  const known = new WeakMap<Kept, string>()
  return (record) => {
    if (record === null) return 'null'
    let text = known.get(record)
    if (text === undefined) {
      text = write(record)
      known.set(record, text)
    }
    return text
  }
}

type Shape = z.core.$ZodShape

/** Some of an object's members in their order, without its braces, or one member whose text is at hand. */
type Step<Record> = (record: Record) => string

function stepsOf<Record>(
  schema: z.ZodObject<Shape>,
  ready: { [Name in keyof Record]?: (value: Record[Name]) => string },
): Step<Record>[] {
  const steps: Step<Record>[] = []
  let run: string[] = []
  const endRun = () => {
    if (run.length === 0) return
    const members = Object.fromEntries(run.map((name) => [name, true as const]))
    const serialize = compile(schema.pick(members))
    steps.push((record) => serialize(record).slice(1, -1))
    run = []
  }
  for (const name of Object.keys(schema.shape)) {
    const write = ready[name as keyof Record]
    if (!write) {
      run.push(name)
      continue
    }
    endRun()
    const start = `${JSON.stringify(name)}:`
    steps.push((record) => start + write(record[name as keyof Record]))
  }
  endRun()
  return steps
}

/** The same as `serializerOf` for an object of which some members have their text already. No member may be optional. */
export function serializerAround<Record>(
  schema: z.ZodObject<Shape>,
  ready: { [Name in keyof Record]?: (value: Record[Name]) => string },
): (record: Record) => string {
  let steps: Step<Record>[] | undefined
  return (record) => {
    steps ??= stepsOf(schema, ready)
    let text = '{'
    for (const step of steps) text += text.length === 1 ? step(record) : `,${step(record)}`
    return `${text}}`
  }
}

/** Many routes answer with the same schema, the error object first of all. */
function compile(schema: z.ZodType): Serialize {
  const known = compiled.get(schema)
  if (known) return known
  const serialize = fastJson(serializerSchema(schema)) as Serialize
  compiled.set(schema, serialize)
  return serialize
}
