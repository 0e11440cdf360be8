import { resolve, type Schema } from './document.ts'
import { Inline } from './prose.tsx'

const words: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  array: 'list',
}

const formats: Record<string, string> = { date: 'day', 'date-time': 'date-time', password: 'password' }

function range(low: number | undefined, high: number | undefined, unit = ''): string | undefined {
  const suffix = unit && ` ${unit}`
  if (low !== undefined && high !== undefined) return low === high ? `${low}${suffix}` : `${low} to ${high}${suffix}`
  if (low !== undefined) return `${low} or more${suffix}`
  return high === undefined ? undefined : `at most ${high}${suffix}`
}

/** JSON's largest safe number is not a limit that anybody wants to read. */
const shown = (limit: number | undefined) =>
  limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER ? limit : undefined

function limitsOf(own: Schema): string[] {
  const unit = (own.maxLength ?? own.minLength) === 1 && own.minLength === own.maxLength ? 'character' : 'characters'
  const limits = [
    range(shown(own.minimum), shown(own.maximum)),
    range(own.minLength, own.maxLength, unit),
    range(own.minItems, own.maxItems, 'items'),
  ]
  return limits.filter((limit) => limit !== undefined)
}

type Schemas = Record<string, Schema>

/** What kind of value it is, in words: "list of text, or null". */
export function typeText(schema: Schema, schemas: Schemas): string {
  const { own, name, type, nullable } = resolve(schema, schemas)
  let text = formats[own.format ?? ''] ?? words[type ?? ''] ?? 'any value'
  if (type === 'array') text = `list of ${typeText(own.items ?? {}, schemas)}`
  if (type === 'object' && name !== undefined) text = name.replace(/Input$/, '')
  return nullable ? `${text} or null` : text
}

function Choices({ values }: { values: readonly unknown[] }) {
  return (
    <>
      One of{' '}
      {values.map((value, index) => (
        <>
          {index > 0 && ', '}
          <code>{String(value)}</code>
        </>
      ))}
      .
    </>
  )
}

/** Everything but its members: limits, choices, default, pattern, example and what it is for. */
export function Facts({ schema, schemas }: { schema: Schema; schemas: Schemas }) {
  const { own, description } = resolve(schema, schemas)
  const item = own.items && resolve(own.items, schemas).own
  const limits = [...limitsOf(own), ...(item ? limitsOf(item).map((limit) => `each ${limit}`) : [])]
  const choices = own.enum ?? item?.enum
  const [example] = own.examples ?? []
  const fallback = schema.default !== undefined ? schema.default : own.default
  return (
    <>
      {limits.length > 0 && <span class="limit">{limits.join(', ')}</span>}
      {example !== undefined && typeof example !== 'object' && (
        <span class="limit">
          such as <code>{String(example)}</code>
        </span>
      )}
      {description && (
        <span class="about">
          <Inline text={description} />
        </span>
      )}
      {choices && (
        <span class="about">
          <Choices values={choices} />
        </span>
      )}
      {fallback !== undefined && (
        <span class="about">
          Default: <code>{JSON.stringify(fallback)}</code>.
        </span>
      )}
      {own.const !== undefined && (
        <span class="about">
          Always <code>{JSON.stringify(own.const)}</code>.
        </span>
      )}
      {own.pattern && !own.format && (
        <span class="about">
          Matches <code>{own.pattern}</code>
        </span>
      )}
    </>
  )
}

/** The members below a value, if it is an object or a list of them. */
function membersOf(schema: Schema, schemas: Schemas): Schema | undefined {
  const { own } = resolve(schema, schemas)
  if (own.properties) return own
  return own.items && membersOf(own.items, schemas)
}

interface Props {
  schema: Schema
  schemas: Schemas
  /** In a request the members that cannot be left out are marked, in an answer those that can be absent. */
  use: 'request' | 'answer'
  depth?: number
}

/** An object as a tree that can be unfolded; its first two levels are open in an answer, whose first is only the envelope. */
export function SchemaTree({ schema, schemas, use, depth = 0 }: Props) {
  const parent = membersOf(schema, schemas)
  if (!parent?.properties) {
    return (
      <p class="member">
        <span class="type">{typeText(schema, schemas)}</span> <Facts schema={schema} schemas={schemas} />
      </p>
    )
  }
  const openTo = use === 'answer' ? 1 : 0
  return (
    <ul class="members">
      {Object.entries(parent.properties).map(([name, member]) => {
        const below = membersOf(member, schemas)
        const required = parent.required?.includes(name) ?? false
        return (
          <li key={name} class="member">
            <code class="name">{name}</code> <span class="type">{typeText(member, schemas)}</span>{' '}
            {use === 'request' && required && <span class="must">required</span>}
            {use === 'answer' && !required && <span class="quiet">may be absent</span>}
            <Facts schema={member} schemas={schemas} />
            {below && (
              <details open={depth < openTo}>
                <summary class="fold">
                  Members<span class="unseen"> of {name}</span>
                </summary>
                <SchemaTree schema={member} schemas={schemas} use={use} depth={depth + 1} />
              </details>
            )}
          </li>
        )
      })}
    </ul>
  )
}
