import sjson from 'secure-json-parse'
import { isObject } from '../../../lib/objects.ts'
import { UnreadableFile } from './row.ts'

export type JsonObject = Record<string, unknown>

/** The object that the text holds, without keys that could reach a prototype. */
export function readJsonObject(text: string): JsonObject {
  let value: unknown
  try {
    value = sjson.parse(text.trim(), undefined, { protoAction: 'remove', constructorAction: 'remove' })
  } catch (cause) {
    throw new UnreadableFile('The file is not valid JSON.', { cause })
  }
  if (!isObject(value)) throw new UnreadableFile('The file does not hold a JSON object.')
  return value
}
