import sjson from 'secure-json-parse'
import { parseLongJson, visitContainers } from '../../../lib/long-json.ts'
import { UnreadableFile } from './row.ts'

export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function requireObject(value: unknown): JsonObject {
  if (!isObject(value)) throw new UnreadableFile('The file does not hold a JSON object.')
  return value
}

const notJson = (cause: unknown) => new UnreadableFile('The file is not valid JSON.', { cause })

/** The object that the text holds, without keys that could reach a prototype. */
export function readJsonObject(text: string): JsonObject {
  let value: unknown
  try {
    value = sjson.parse(text.trim(), undefined, { protoAction: 'remove', constructorAction: 'remove' })
  } catch (cause) {
    throw notJson(cause)
  }
  return requireObject(value)
}

/** The same for a long text, in slices between which others get their turn. */
export async function readLongJsonObject(text: string): Promise<JsonObject> {
  let value: unknown
  try {
    value = await parseLongJson(Buffer.from(text.trim()))
  } catch (cause) {
    throw notJson(cause)
  }
  if (MAY_REACH_PROTOTYPES.test(text)) await visitContainers(value, forgetPrototypes)
  return requireObject(value)
}

/** Either name, or an escape that may stand for a letter of it. */
const MAY_REACH_PROTOTYPES = /__proto__|constructor|\\u/

/** Own keys only, whatever they are called. */
function forgetPrototypes(container: object): void {
  Reflect.deleteProperty(container, '__proto__')
  const { value } = Object.getOwnPropertyDescriptor(container, 'constructor') ?? {}
  if (isObject(value) && Object.hasOwn(value, 'prototype')) Reflect.deleteProperty(container, 'constructor')
}
