import type { z } from 'zod'
import type { Caller } from '../access/caller.ts'
import type { EarlyFacts, OperationId, SomeFacts } from '../access/policy.ts'
import type { JsonAnswer, JsonContent, TextFile } from './answer.ts'

export const tags = ['Discovery', 'Flights', 'Reference data', 'Personal data', 'Administration'] as const

export interface Inputs {
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** The body is a file of any kind, taken as it is. */
  file?: true
}

type Parsed<Input extends Inputs> = {
  [Part in keyof Input]: Input[Part] extends z.ZodType ? z.output<Input[Part]> : Buffer
}

/** A request that came with a key of its own: its answer is kept in the transaction of its write. */
interface Once {
  key: { id: Uint8Array; userId: string; request: Uint8Array }
  keep: (result: unknown) => void
}

type Result<Output> = Output extends z.ZodType ? z.output<Output> : void
type Answer<Output> = Result<Output> | JsonAnswer | TextFile

/** Throws when a record, as the JSON that v1 answers with, is not the one that the client has seen. */
export type Precondition = (present: JsonContent) => void

/** What a request of v1 asks for beside its input, by headers. */
export interface Wishes {
  unchanged?: Precondition | undefined
  once?: Once | undefined
}

interface Definition<Id extends OperationId, Input extends Inputs, Output extends z.ZodType | null> {
  id: Id
  /** Method and path below /api/v1, in OpenAPI's own notation. */
  route: string
  tag: (typeof tags)[number]
  summary: string
  /** What a client, or a model that sees it as a tool, must know beyond the schemas. */
  description?: string
  input: Input
  /** Null: success has no content. */
  output: Output
  /** A new resource: status 201, and a Location made of the route and this id. */
  created?: (result: Result<NonNullable<Output>>) => string | number
  /** True when stored data can stand in the way (409). */
  conflicts?: true
  /**
   * Facts that the query as sent tells, also of nobody known: they complete the challenge of a missing credential or
   * fixed scope (contract 1.4, step 3, and 8).
   */
  early?: (query: Readonly<Record<string, unknown>>, caller: Caller | undefined) => EarlyFacts<Id>
  /**
   * The answer has a tag (contract 16.4): who reads may send it back to hear that nothing has changed, and who writes to
   * make sure of it; the work of a write judges that.
   */
  conditional?: true
  /** Whether stored data and the caller alone decide the answer to this query, and not the time of day. */
  timeless?: (query: Parsed<Input>['query']) => boolean
  /** Content types beside JSON in which the answer can be asked for, each with its schema. */
  alsoAs?: Readonly<Record<string, z.ZodType>>
  /** A request of a key of its own is done once; a very large record of it is read again. */
  idempotent?: { readAgain?: (caller: Caller, id: number) => JsonAnswer }
  /** False for what makes no sense in a conversation. */
  tool?: false
  run: (caller: Caller, input: Parsed<Input>, wishes?: Wishes) => Answer<Output> | Promise<Answer<Output>>
}

type Exact = 'created' | 'early' | 'timeless' | 'run'

/** One thing the service can do, as REST, OpenAPI and MCP all read it. */
export interface Operation extends Omit<Definition<OperationId, Inputs, z.ZodType | null>, Exact> {
  created?: (result: never) => string | number
  early?: (query: Readonly<Record<string, unknown>>, caller: Caller | undefined) => SomeFacts
  timeless?: (query: never) => boolean
  run: (caller: Caller, input: never, wishes?: Wishes) => unknown
}

/** Checks the parts of an operation against each other and forgets their exact types. */
export function operation<Id extends OperationId, Input extends Inputs, Output extends z.ZodType | null>(
  definition: Definition<Id, Input, Output>,
): Operation {
  return definition
}
