import { useEnglish, useTexts } from '../../framework/localization.ts'
import type { PageTexts } from '../../texts/languages.ts'
import { resolve, type Schema } from './document.ts'
import { Inline } from './prose.tsx'

type SchemaTexts = PageTexts['docs']['schema']
type LimitTexts = SchemaTexts['values' | 'characters' | 'items']

function range(low: number | undefined, high: number | undefined, t: LimitTexts): string | undefined {
  if (low !== undefined && low === high) return t.exactly({ count: low })
  const limits = { low: String(low), high: String(high) }
  if (low !== undefined) return high === undefined ? t.atLeast(limits) : t.between(limits)
  return high === undefined ? undefined : t.atMost(limits)
}

/** Hides the limits of safe integers. */
const shown = (limit: number | undefined) =>
  limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER ? limit : undefined

function limitsOf(own: Schema, t: SchemaTexts): string[] {
  const limits = [
    range(shown(own.minimum), shown(own.maximum), t.values),
    range(own.minLength, own.maxLength, t.characters),
    range(own.minItems, own.maxItems, t.items),
  ]
  return limits.filter((limit) => limit !== undefined)
}

type Schemas = Record<string, Schema>

/** Such as "list of text or null". */
export function typeText(schema: Schema, schemas: Schemas, t: SchemaTexts): string {
  const names: Record<string, string> = { ...t.types, ...t.formats }
  const { own, name, type, nullable } = resolve(schema, schemas)
  let text = names[own.format ?? ''] ?? names[type ?? ''] ?? t.anyValue
  if (type === 'array') text = t.listOf({ type: typeText(own.items ?? {}, schemas, t) })
  if (type === 'object' && name !== undefined) text = name.replace(/Input$/, '')
  return nullable ? t.orNull({ type: text }) : text
}

/** Limits, description, choices and default, without the members. */
export function Facts({ schema, schemas }: { schema: Schema; schemas: Schemas }) {
  const t = useTexts().docs.schema
  const { own, description } = resolve(schema, schemas)
  const item = own.items && resolve(own.items, schemas).own
  const limits = [...limitsOf(own, t), ...(item ? limitsOf(item, t).map((limit) => t.each({ limit })) : [])]
  const choices = own.enum ?? item?.enum
  const [example] = own.examples ?? []
  const fallback = schema.default !== undefined ? schema.default : own.default
  const lang = useEnglish()
  const facts = [
    choices && t.oneOf({ values: choices.map((value) => `\`${value}\``).join(', ') }),
    fallback !== undefined && t.default({ value: `\`${JSON.stringify(fallback)}\`` }),
    own.const !== undefined && t.always({ value: `\`${JSON.stringify(own.const)}\`` }),
    own.pattern && !own.format && t.matches({ pattern: `\`${own.pattern}\`` }),
  ]
  return (
    <>
      {limits.length > 0 && <span class="limit">{limits.join(', ')}</span>}
      {example !== undefined && typeof example !== 'object' && (
        <span class="limit">{t.example({ value: String(example), code: (text) => <code>{text}</code> })}</span>
      )}
      {description && (
        <span class="about" lang={lang}>
          <Inline text={description} />
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
  const t = useTexts().docs.schema
  const parent = membersOf(schema, schemas)
  if (!parent?.properties) {
    return (
      <p class="member">
        <span class="type">{typeText(schema, schemas, t)}</span> <Facts schema={schema} schemas={schemas} />
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
            <code class="name">{name}</code> <span class="type">{typeText(member, schemas, t)}</span>{' '}
            {use === 'request' && required && <span class="must">{t.required}</span>}
            {use === 'answer' && !required && <span class="quiet">{t.optional}</span>}
            <Facts schema={member} schemas={schemas} />
            {below && (
              <details open={depth < openLevels}>
                <summary class="fold">
                  {t.members({ name, unseen: (text) => <span class="unseen">{text}</span> })}
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
