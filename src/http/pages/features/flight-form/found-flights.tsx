import type { TravelItem } from '../../../../domain/documents/contract.ts'
import type { Airline, Airport } from '../../../../domain/reference/contract.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import { localTime } from '../../../../lib/dates.ts'
import { laterBy } from '../../components/clocks.tsx'
import { Choice, ErrorSummary, Field } from '../../components/fields.tsx'
import { PostForm } from '../../components/forms.tsx'
import type { Option } from '../../components/lookup.ts'
import { LookupField } from '../../components/lookup-field.tsx'
import { AirlineBadge, Flag } from '../../components/marks.tsx'
import { Crumb } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import type { FieldErrors } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { messageText } from '../../framework/service-messages.ts'
import { DOCUMENT_PATH } from './document-fields.tsx'

/** A flight of a document with the records that it names. */
export interface FoundFlight {
  item: TravelItem
  from: Airport | undefined
  to: Airport | undefined
  airline: Airline | undefined
}

/** The members that a document may lack, and that the user can add. */
export const missingOf = ({ date, fromId, toId }: TravelItem['flight']) => ({
  date: date === undefined,
  from: fromId === undefined,
  to: toId === undefined,
})

export const fieldName = (index: number, member: string) => `${member}.${index}`

const routeOf = ({ from, to }: FoundFlight) => (from && to ? { from: codeOf(from), to: codeOf(to) } : undefined)

interface TimesProps {
  found: FoundFlight
  formats: Formats
}

function Times({ found: { item, from, to }, formats }: TimesProps) {
  const t = useTexts().travelDocuments
  const { date = '', departureScheduled, arrivalScheduled } = item.flight
  const local = (instant: string | undefined, airport: Airport | undefined) =>
    instant && airport ? localTime(instant, airport.timezone) : undefined
  const [departs, arrives] = [local(departureScheduled, from), local(arrivalScheduled, to)]
  const departure = departs && formats.clock(departs)
  const later = arrives && laterBy(date, arrives.slice(0, 10))
  const arrival = arrives && [formats.clock(arrives), later].filter(Boolean).join(' ')
  if (departure && arrival) return <span>{t.times({ departure, arrival })}</span>
  if (departure) return <span>{t.departs({ time: departure })}</span>
  return arrival ? <span>{t.arrives({ time: arrival })}</span> : null
}

function End({ airport, basePath }: { airport: Airport | undefined; basePath: string }) {
  const t = useTexts().travelDocuments
  if (!airport) return <span class="quiet">{t.unknownAirport}</span>
  return (
    <span class="end">
      <Flag country={airport.country} basePath={basePath} /> <strong>{codeOf(airport)}</strong>{' '}
      <span class="quiet" dir="auto">
        {airport.municipality ?? airport.name}
      </span>
    </span>
  )
}

interface MissingProps extends Pick<Props, 'basePath' | 'form' | 'fieldErrors' | 'choices'> {
  index: number
  flight: TravelItem['flight']
}

/** Fields for what the document does not say. */
function MissingFields({ basePath, form, fieldErrors, choices, index, flight }: MissingProps) {
  const labels = useTexts().flightForm.fields
  const missing = missingOf(flight)
  if (!Object.values(missing).some(Boolean)) return null
  const date = fieldName(index, 'date')
  return (
    <div class="columns">
      {missing.date && (
        <Field
          id={date}
          name={date}
          label={labels.date}
          fieldError={fieldErrors[date]}
          input={{ type: 'date', value: form.get(date) ?? '', required: true }}
        />
      )}
      {(['from', 'to'] as const).map((member) => {
        const name = fieldName(index, member)
        return (
          missing[member] && (
            <LookupField
              key={name}
              basePath={basePath}
              kind="airport"
              name={name}
              label={labels[member]}
              form={form}
              fieldError={fieldErrors[name]}
              options={choices[name]}
              required
            />
          )
        )
      })}
    </div>
  )
}

interface CardProps extends Omit<Props, 'author' | 'flights' | 'viewer' | 'notice'> {
  found: FoundFlight
  index: number
  isSelectable: boolean
}

function FlightCard({ found, index, isSelectable, selected, ...props }: CardProps) {
  const { formats, basePath, fieldErrors } = props
  const texts = useTexts()
  const t = texts.travelDocuments
  const { item, from, to, airline } = found
  const { flight, kind, passengerName, bookingReference, duplicateOf, unresolved } = item
  const { departureTerminal, departureGate, flightNumber, passengers: [mine] = [] } = flight
  const seat = [
    mine?.seatNumber && t.seat({ seat: mine.seatNumber }),
    mine?.seatClass && texts.seats.classes[mine.seatClass],
    departureTerminal && t.terminal({ terminal: departureTerminal }),
    departureGate && t.gate({ gate: departureGate }),
  ].filter(Boolean)
  const source = [t.kinds[kind], passengerName, bookingReference && t.booking({ reference: bookingReference })]
  const route = routeOf(found)
  const error = fieldErrors[fieldName(index, 'item')]
  return (
    <li class="card found-flight">
      <input type="hidden" name="item" value={JSON.stringify(item)} />
      {!isSelectable && <input type="hidden" name="flight" value={String(index)} />}
      <h2 id={fieldName(index, 'item')}>
        <End airport={from} basePath={basePath} /> <span aria-hidden="true">→</span>
        <span class="unseen"> {texts.flightList.fromTo}</span> <End airport={to} basePath={basePath} />
      </h2>
      <p class="what">
        {flight.date && (
          <span>
            <time datetime={flight.date}>{formats.day(flight.date)}</time>
          </span>
        )}
        <Times found={found} formats={formats} />
        {(airline || flightNumber) && (
          <span dir="auto">
            <AirlineBadge airline={airline} /> {[airline?.name, flightNumber].filter(Boolean).join(' ')}
          </span>
        )}
        {seat.map((text) => (
          <span key={text} dir="auto">
            {text}
          </span>
        ))}
      </p>
      <p class="quiet" dir="auto">
        {source.filter(Boolean).join(' · ')}
      </p>
      {duplicateOf !== null && (
        <p class="warning">
          {t.duplicate({ link: (text) => <a href={`${basePath}/flights/${duplicateOf}`}>{text}</a> })}
        </p>
      )}
      {unresolved.length > 0 && (
        <ul class="warning">
          {unresolved.map((sentence) => (
            <li key={sentence}>{messageText(sentence, texts)}</li>
          ))}
        </ul>
      )}
      {error && <p class="warning">{error}</p>}
      <MissingFields {...props} index={index} flight={flight} />
      {isSelectable && (
        <Choice name="flight" value={String(index)} checked={selected.has(index)}>
          {route ? t.select(route) : t.selectUnknown}
        </Choice>
      )}
    </li>
  )
}

interface Props extends Frame {
  /** The id of the user who fills in the form. */
  author: string
  flights: readonly FoundFlight[]
  form: URLSearchParams
  fieldErrors: FieldErrors
  choices: Record<string, Option[]>
  /** The indexes of the flights to save. */
  selected: ReadonlySet<number>
  /** How many of the document are saved already. */
  savedCount?: number
}

/** The flights of a document, to be checked and saved. */
export function FoundFlights({ author, flights, savedCount = 0, ...props }: Props) {
  const { basePath, viewer, fieldErrors, selected } = props
  const texts = useTexts()
  const t = texts.travelDocuments
  const isSelectable = flights.length > 1 || flights.some(({ item }) => item.duplicateOf !== null)
  const isAll = selected.size === flights.length
  const submit = isSelectable ? (isAll ? t.saveAll : t.saveSelected) : t.saveOne
  const fields = Object.fromEntries(
    Object.keys(fieldErrors).map((name) => {
      const [member = '', index] = name.split('.')
      const found = flights[Number(index)]
      const route = found && routeOf(found)
      const label = route ? t.route(route) : t.unknownRoute
      const labels: Record<string, string> = texts.flightForm.fields
      return [name, { id: name, label: labels[member] ?? label }]
    }),
  )
  return (
    <Layout {...props} title={t.title} fieldErrors={fieldErrors} place="home" below>
      <Crumb href={`${basePath}/flights/new`}>{texts.flightForm.add}</Crumb>
      <h1>{t.found({ count: flights.length })}</h1>
      {savedCount > 0 ? (
        <p class="notice" role="status">
          {t.someSaved({ count: savedCount })}
        </p>
      ) : (
        <p class="quiet">{t.foundHint}</p>
      )}
      <ErrorSummary fieldErrors={fieldErrors} fields={fields} />
      <PostForm
        class=""
        action={`${basePath}${DOCUMENT_PATH}/save`}
        csrf={viewer.csrf}
        hidden={{ author }}
        submit={submit}
      >
        <ul class="cards">
          {flights.map((found, index) => (
            <FlightCard key={index} {...props} {...{ found, index, isSelectable }} />
          ))}
        </ul>
      </PostForm>
    </Layout>
  )
}
