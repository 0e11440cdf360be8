import { codeOf } from '../../../../domain/reference/contract.ts'
import { plainFlightNumber } from '../../../../domain/reference/flight-number.ts'
import type { FlightSuggestion } from '../../../../domain/reference/flight-number-contract.ts'
import type { FlightNumberService } from '../../../../domain/reference/flight-number-service.ts'
import { isCalendarDay } from '../../../../lib/dates.ts'
import { fillLookup, type Lookup, type Option } from '../../components/lookup.ts'
import { fieldOf } from '../../framework/form.ts'
import type { Visit } from '../../framework/signed-in.ts'
import { type FormTexts, recordKinds } from './reading.ts'

export interface NumberOption {
  label: string
  detail: string
  isUncertain: boolean
  from: Option
  to: Option
  airline: Option | null
}

/**
 * Ryanair, easyJet, Wizz Air and Vueling use call signs with letters that differ from their flight numbers, so most of
 * their numbers in the shipped table have old routes or those of other airlines.
 */
const UNRELIABLE_AIRLINES = new Set(['RYR', 'RUK', 'EZY', 'EJU', 'EZS', 'WZZ', 'WUK', 'WMT', 'WAZ', 'VLG'])

function detailOf({ source, airports }: FlightSuggestion, isUncertain: boolean, t: FormTexts): string {
  if (source === 'log') return t.fromLog
  if (airports.length <= 2) return isUncertain ? t.uncertain : t.fromTimetable
  const stops = { airports: airports.map(codeOf).join(' – ') }
  return isUncertain ? t.uncertainLeg(stops) : t.legFromTimetable(stops)
}

export function numberLookup(flightNumbers: FlightNumberService, lookup: Lookup) {
  function optionOf(suggestion: FlightSuggestion, t: FormTexts): NumberOption {
    const { from, to, airline, source } = suggestion
    const isUncertain = source === 'shipped' && UNRELIABLE_AIRLINES.has(airline?.icao ?? '')
    const ends = { from: codeOf(from), to: codeOf(to) }
    return {
      label: airline ? t.suggestionOfAirline({ ...ends, airline: airline.name }) : t.suggestion(ends),
      detail: detailOf(suggestion, isUncertain, t),
      isUncertain,
      from: lookup.option('airport', from.id)!,
      to: lookup.option('airport', to.id)!,
      airline: airline && (lookup.option('airline', airline.id) ?? null),
    }
  }

  function find({ caller, texts }: Visit, number: string, date: string): NumberOption[] {
    const flightNumber = plainFlightNumber(number)
    if (flightNumber === undefined) return []
    const day = isCalendarDay(date) ? { date } : {}
    const found = flightNumbers.lookUp(caller, { flightNumber, ...day })
    const options = found.map((suggestion) => optionOf(suggestion, texts.flightForm))
    // A flight in the log and in the timetable is one suggestion.
    return options.filter(({ label }, index) => options.findIndex((each) => each.label === label) === index)
  }

  return {
    find,
    findInForm: (visit: Visit) => find(visit, fieldOf(visit.form, 'flightNumber'), fieldOf(visit.form, 'date')),
    /** Fills the form with the suggestion whose ids it names. */
    take(form: URLSearchParams): void {
      const ids = fieldOf(form, 'take').split('.').map(Number)
      for (const [index, name] of (['from', 'to', 'airline'] as const).entries()) {
        const id = ids[index]
        const option = Number.isSafeInteger(id) ? lookup.option(recordKinds[name], id!) : undefined
        if (option) fillLookup(form, name, option)
      }
    },
  }
}
