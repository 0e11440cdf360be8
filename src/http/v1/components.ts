import type { OpenAPIV3_1 } from 'openapi-types'

const PREFIX = '#/components/schemas/'

function referenced(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) referenced(item, found)
  else if (typeof value === 'object' && value !== null) {
    const { $ref } = value as { $ref?: unknown }
    if (typeof $ref === 'string' && $ref.startsWith(PREFIX)) found.add($ref.slice(PREFIX.length))
    for (const child of Object.values(value)) referenced(child, found)
  }
  return found
}

/** The type provider writes each component twice, as X and XInput, used or not: keep what is used, under its own name. */
export function useComponents(document: OpenAPIV3_1.Document): OpenAPIV3_1.Document {
  const schemas = document.components?.schemas ?? {}
  const used = referenced([document.paths, document.components?.responses])
  for (const name of used) for (const next of referenced(schemas[name])) used.add(next)
  const renamed = new Map<string, string>()
  for (const name of used) {
    const plain = name.replace(/Input$/, '')
    const same = !used.has(plain) || JSON.stringify(schemas[plain]) === JSON.stringify(schemas[name])
    renamed.set(name, same ? plain : name)
  }
  const kept = [...used]
    .map((name) => [renamed.get(name)!, schemas[name]] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const components = { ...document.components, schemas: Object.fromEntries(kept) }
  return JSON.parse(JSON.stringify({ ...document, components }), (key, value) =>
    key === '$ref' && value.startsWith(PREFIX) ? PREFIX + renamed.get(value.slice(PREFIX.length)) : value,
  )
}
