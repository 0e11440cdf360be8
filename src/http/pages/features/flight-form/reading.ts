import type { Caller } from '../../../../access/caller.ts'
import { choose, type Lookup, type LookupKind, type Option } from '../../components/lookup.ts'
import { fieldOf } from '../../framework/form.ts'
import type { Faults } from '../../framework/forms.ts'

/** A form on its way to a body: what was sent, and what is wrong with it so far. */
export interface Reading {
  caller: Caller
  form: URLSearchParams
  faults: Faults
  /** Records among which the person still has to choose, by the field. */
  choices: Record<string, Option[]>
  lookup: Lookup
}

export const fault = ({ faults }: Pick<Reading, 'faults'>, name: string, sentence: string): void => {
  faults[name] ??= sentence
}

const words: Record<LookupKind, { what: string; hint: string }> = {
  airport: { what: 'an airport', hint: 'Try the city, the name or the code.' },
  airline: { what: 'an airline', hint: 'Try its name or its code.' },
  aircraft: { what: 'an aircraft type', hint: 'Try its name or its code.' },
}

const MOST_SHOWN = 100

const shortened = (text: string) => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN).toWellFormed()}…` : text)

/** The id of the record that a field names; null for an empty field, undefined when there is more to ask. */
export async function readLookup(reading: Reading, name: string, kind: LookupKind): Promise<number | null | undefined> {
  const { caller, form, lookup, choices } = reading
  const text = fieldOf(form, name).trim()
  if (text === '') return null
  const found = await lookup.resolve(caller, form, name, kind)
  if (found === undefined) {
    fault(reading, name, `“${shortened(text)}” is not ${words[kind].what} that is known here. ${words[kind].hint}`)
    return undefined
  }
  if ('id' in found) {
    choose(form, name, found)
    return found.id
  }
  choices[name] = found.options
  form.set(`${name}.asked`, fieldOf(form, name))
  form.set(`${name}.id`, String(found.options[0]!.id))
  fault(reading, name, 'Which one do you mean? The first is chosen; change it or save again.')
  return undefined
}

// Browsers send the line ends of text areas as CR LF, and none in other fields.
const oneForm = (text: string) => text.replace(/\r\n?/g, '\n')

/** What is stored stays as it is unless the person has changed what the field showed of it. */
export function readText(form: URLSearchParams, name: string, stored: string | null = null): string | null {
  const text = oneForm(fieldOf(form, name))
  const shown = oneForm(stored ?? '')
  return text === shown || text === shown.replaceAll('\n', '') ? stored : text === '' ? null : text
}
