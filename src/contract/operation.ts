import type { z } from 'zod'
import type { Caller } from '../access/caller.ts'
import type { EarlyFacts, OperationId, SomeFacts } from '../access/policy.ts'
import type { JsonAnswer, JsonContent, TextFile } from './answer.ts'

export const tags = ['Discovery', 'Flights', 'Reference data', 'Personal data', 'Administration'] as const

export interface Inputs {
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  file?: FileInput
}

/** A body that is not JSON. */
export interface FileInput {
  /** Content types for the OpenAPI document; others are accepted too. */
  types: readonly string[]
  /** Less than the limit for all bodies. */
  maxBytes?: number
  /** The name of the argument of the tool, whose value is text. */
  argument: string
  description: string
}

type Parsed<Input extends Inputs> = {
  [Part in keyof Input]: Input[Part] extends z.ZodType ? z.output<Input[Part]> : Buffer
}

/** A request with an Idempotency-Key; its answer is stored in the transaction of its write. */
interface IdempotentRequest {
  key: { id: Uint8Array; userId: string; request: Uint8Array }
  keep: (result: unknown) => void
}

type Result<Output> = Output extends z.ZodType ? z.output<Output> : void
type Answer<Output> = Result<Output> | JsonAnswer | TextFile

/** Throws if the current JSON of a record does not match the If-Match header. */
export type Precondition = (current: JsonContent) => void

export interface RequestOptions {
  precondition?: Precondition | undefined
  once?: IdempotentRequest | undefined
  /** The content type of a file as sent; a tool has none. */
  contentType?: string | undefined
}

interface Definition<Id extends OperationId, Input extends Inputs, Output extends z.ZodType | null> {
  id: Id
  route: string
  tag: (typeof tags)[number]
  summary: string
  description?: string
  input: Input
  output: Output
  created?: (result: Result<NonNullable<Output>>) => string | number
  conflicts?: true
  /** Facts from the raw query, to complete a challenge (contract 1.4, step 3, and 8). */
  early?: (query: Readonly<Record<string, unknown>>, caller: Caller | undefined) => EarlyFacts<Id>
  /** Supports ETag, If-None-Match and If-Match (contract 16.4). */
  conditional?: true
  alsoAs?: Readonly<Record<string, z.ZodType>>
  /** Supports Idempotency-Key; a very large record is read again instead of stored. */
  idempotent?: { readAgain?: (caller: Caller, id: number) => JsonAnswer }
  tool?: false
  run: (caller: Caller, input: Parsed<Input>, options?: RequestOptions) => Answer<Output> | Promise<Answer<Output>>
}

type TypedMembers = 'created' | 'early' | 'run'

export interface Operation extends Omit<Definition<OperationId, Inputs, z.ZodType | null>, TypedMembers> {
  created?: (result: never) => string | number
  early?: (query: Readonly<Record<string, unknown>>, caller: Caller | undefined) => SomeFacts
  run: (caller: Caller, input: never, options?: RequestOptions) => unknown
}

export function operation<Id extends OperationId, Input extends Inputs, Output extends z.ZodType | null>(
  definition: Definition<Id, Input, Output>,
): Operation {
  return definition
}
