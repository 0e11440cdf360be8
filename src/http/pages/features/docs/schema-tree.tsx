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

/** Hides the limits of safe integers. */
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

/** Such as "list of text or null". */
export function typeText(schema: Schema, schemas: Schemas): string {
  const { own, name, type, nullable } = resolve(schema, schemas)
  let text = formats[own.format ?? ''] ?? words[type ?? ''] ?? 'any value'
  if (type === 'array') text = `list of ${typeText(own.items ?? {}, schemas)}`
  if (type === 'object' && name !== undefined) text = name.replace(/Input$/, '')
  return nullable ? `${text} or null` : text
}

/** Limits, description, choices and default, without the members. */
export function Facts({ schema, schemas }: { schema: Schema; schemas: Schemas }) {
  const { own, description } = resolve(schema, schemas)
  const item = own.items && resolve(own.items, schemas).own
  const limits = [...limitsOf(own), ...(item ? limitsOf(item).map((limit) => `each ${limit}`) : [])]
  const choices = own.enum ?? item?.enum
  const [example] = own.examples ?? []
  const fallback = schema.default !== undefined ? schema.default : own.default
  const facts = [
    description,
    choices && `One of ${choices.map((value) => `\`${value}\``).join(', ')}.`,
    fallback !== undefined && `Default: \`${JSON.stringify(fallback)}\`.`,
    own.const !== undefined && `Always \`${JSON.stringify(own.const)}\`.`,
    own.pattern && !own.format && `Matches \`${own.pattern}\``,
  ]
  return (
    <>
      {limits.length > 0 && <span class="limit">{limits.join(', ')}</span>}
      {example !== undefined && typeof example !== 'object' && (
        <span class="limit">
          such as <code>{String(example)}</code>
        </span>
      )}
      {facts.map(
        (text) =>
          text && (
            <span key={text} class="about">
              <Inline text={text} />
            </span>
          ),
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
  /** Requests mark required members, answers mark optional ones. */
  use: 'request' | 'answer'
  depth?: number
}

export function SchemaTree({ schema, schemas, use, depth = 0 }: Props) {
  const parent = membersOf(schema, schemas)
  if (!parent?.properties) {
    return (
      <p class="member">
        <span class="type">{typeText(schema, schemas)}</span> <Facts schema={schema} schemas={schemas} />
      </p>
    )
  }
  // The first level of an answer is only the envelope.
  const openLevels = use === 'answer' ? 1 : 0
  return (
    <ul class="members">
      {Object.entries(parent.properties).map(([name, member]) => {
        const below = membersOf(member, schemas)
        const required = parent.required?.includes(name) ?? false
        return (
          <li key={name} class="member">
            <code class="name">{name}</code> <span class="type">{typeText(member, schemas)}</span>{' '}
            {use === 'request' && required && <span class="must">required</span>}
            {use === 'answer' && !required && <span class="quiet">optional</span>}
            <Facts schema={member} schemas={schemas} />
            {below && (
              <details open={depth < openLevels}>
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
