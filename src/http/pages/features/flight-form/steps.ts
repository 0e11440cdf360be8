import type { Caller } from '../../../../access/caller.ts'
import type { ReferenceService } from '../../../../domain/reference/service.ts'
import type { Lookup } from '../../components/lookup.ts'
import { defaultsOf, showValues } from './custom-values.ts'
import type { Definitions } from './flight.ts'
import { type Making, recordMaker } from './new-record.ts'
import type { NumberOption, numberLookup } from './numbers.ts'
import type { Reading } from './reading.ts'
import { MOST_ROWS, rowPrefix, rowsOf } from './travellers.ts'

/** A form as it is shown to be filled in. */
export interface Shown extends Pick<Reading, 'form'>, Partial<Pick<Reading, 'faults' | 'choices'>> {
  status?: number
  /** The row that was just added, where one goes on. */
  addedRow?: number
  /** The fields as somebody else has just saved them. */
  now?: URLSearchParams
  /** The record that is made for a field. */
  making?: Making
  /** What the number may stand for, where somebody has asked. */
  found?: readonly NumberOption[]
}

interface Sources {
  reference: ReferenceService
  lookup: Lookup
  numbers: ReturnType<typeof numberLookup>
  definitions: () => Definitions
}

/** The buttons of the form that save no flight: each shows it again with everything as it was typed, and something more. */
export function formSteps({ reference, lookup, numbers, definitions }: Sources) {
  const make = recordMaker(reference, lookup)

  function withRow(form: URLSearchParams): Shown {
    const row = rowsOf(form)
    if (row >= MOST_ROWS) return { form }
    const { passenger } = definitions()
    showValues(form, rowPrefix(row), passenger, defaultsOf(passenger), lookup)
    form.set('rows', String(row + 1))
    return { form, addedRow: row }
  }

  /** Undefined where the flight is to be saved. */
  return async function step(caller: Caller, form: URLSearchParams): Promise<Shown | undefined> {
    if (form.has('more')) return withRow(form)
    if (form.has('lookUp')) return { form, found: numbers.inForm(caller, form) }
    if (!form.has('take')) return make(caller, form)
    numbers.take(form)
    return { form }
  }
}
