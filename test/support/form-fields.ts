const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

const decoded = (text: string) => text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity]!)

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}(?:="([^"]*)")?(?=[\\s/>])`).exec(tag)
  return found ? decoded(found[1] ?? '') : undefined
}

function fieldOf(tag: string, inside: string): [string, string][] {
  const name = attribute(tag, 'name')
  if (name === undefined) return []
  if (tag.startsWith('<textarea')) {
    // The first line break is not part of the text, and browsers send the others as CR LF.
    const text = decoded(inside).replace(/^\n/, '')
    return [[name, text.replace(/\r\n?|\n/g, '\r\n')]]
  }
  if (tag.startsWith('<select')) {
    const options = [...inside.matchAll(/<option(?:[^>"]|"[^"]*")*>/g)].map(([option]) => option)
    const chosen = options.find((option) => attribute(option, 'selected') !== undefined) ?? options[0]
    return chosen === undefined ? [] : [[name, attribute(chosen, 'value') ?? '']]
  }
  const type = attribute(tag, 'type')
  if (type === 'file' || ((type === 'radio' || type === 'checkbox') && attribute(tag, 'checked') === undefined))
    return []
  // Other fields cannot contain line breaks.
  return [[name, (attribute(tag, 'value') ?? '').replace(/[\r\n]/g, '')]]
}

/** The fields that a browser submits for the form with this action, without buttons. */
export function fieldsIn(html: string, action: string): Record<string, string | string[]> {
  const form = new RegExp(`<form[^>]* action="${action}"[^>]*>(.*?)</form>`, 's').exec(html)?.[1] ?? ''
  const fields: Record<string, string | string[]> = {}
  const controls = /(<input(?:[^>"]|"[^"]*")*>)|(<(?:textarea|select)[^>]*>)(.*?)<\/(?:textarea|select)>/gs
  for (const [, input, other, inside = ''] of form.matchAll(controls)) {
    for (const [name, value] of fieldOf((input ?? other)!, inside)) {
      const before = fields[name]
      fields[name] = before === undefined ? value : [before, value].flat()
    }
  }
  return fields
}
