import type { Caller } from '../../../../access/caller.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import { plainFlightNumber } from '../../../../domain/reference/flight-number.ts'
import type { FlightSuggestion } from '../../../../domain/reference/flight-number-contract.ts'
import type { FlightNumberService } from '../../../../domain/reference/flight-number-service.ts'
import { isCalendarDay } from '../../../../lib/dates.ts'
import { choose, type Lookup, type Option } from '../../components/lookup.ts'
import { fieldOf } from '../../framework/form.ts'

/** A flight that a number may stand for, as people take it or leave it. */
export interface NumberOption {
  label: string
  detail: string
  isUncertain: boolean
  from: Option
  to: Option
  airline: Option | null
}

/**
 * Ryanair, easyJet, Wizz Air and Vueling with their sisters fly under letters rather than under the number on the ticket,
 * so that the shipped table has old or foreign routes for their numbers more often than not.
 */
const UNDER_LETTERS = new Set(['RYR', 'RUK', 'EZY', 'EJU', 'EZS', 'WZZ', 'WUK', 'WMT', 'WAZ', 'VLG'])

function detailOf({ source, airports }: FlightSuggestion, isUncertain: boolean): string {
  const stops = airports.length > 2 ? `A leg of ${airports.map(codeOf).join(' – ')}. ` : ''
  if (source === 'log') return 'As in your log.'
  return stops + (isUncertain ? 'Uncertain: this airline often flies under other numbers.' : 'By the known timetable.')
}

/** Looks up what the number and the day of a form may stand for. */
export function numberLookup(flightNumbers: FlightNumberService, lookup: Lookup) {
  function optionOf(suggestion: FlightSuggestion): NumberOption {
    const { from, to, airline, source } = suggestion
    const isUncertain = source === 'shipped' && UNDER_LETTERS.has(airline?.icao ?? '')
    return {
      label: `${codeOf(from)} → ${codeOf(to)}${airline ? `, ${airline.name}` : ''}`,
      detail: detailOf(suggestion, isUncertain),
      isUncertain,
      from: lookup.option('airport', from.id)!,
      to: lookup.option('airport', to.id)!,
      airline: airline && (lookup.option('airline', airline.id) ?? null),
    }
  }

  function find(caller: Caller, number: string, date: string): NumberOption[] {
    const flightNumber = plainFlightNumber(number)
    if (flightNumber === undefined) return []
    const day = isCalendarDay(date) ? { date } : {}
    // What was flown before and is still in the timetable is one suggestion.
    const options = flightNumbers.lookUp(caller, { flightNumber, ...day }).map(optionOf)
    return options.filter(({ label }, index) => options.findIndex((each) => each.label === label) === index)
  }

  /** Fills the form with a suggestion that was taken, named by the ids of its records. */
  function take(form: URLSearchParams): void {
    const ids = fieldOf(form, 'take').split('.').map(Number)
    const kinds = [
      ['from', 'airport'],
      ['to', 'airport'],
      ['airline', 'airline'],
    ] as const
    for (const [index, [name, kind]] of kinds.entries()) {
      const id = ids[index]
      const option = id !== undefined && Number.isSafeInteger(id) ? lookup.option(kind, id) : undefined
      if (option) choose(form, name, option)
    }
  }

  return {
    find,
    inForm: (caller: Caller, form: URLSearchParams) =>
      find(caller, fieldOf(form, 'flightNumber'), fieldOf(form, 'date')),
    take,
  }
}
