import type { ComponentProps } from 'preact'
import type { VisitorFlight, VisitorStats, VisitorView } from '../../../../domain/shares/visitor.ts'
import { countryName } from '../../../../lib/english.ts'
import { laterBy } from '../../components/clocks.tsx'
import { CountryMap } from '../../components/country-map.tsx'
import { Figures, mainFigures } from '../../components/figures.tsx'
import { LogLine } from '../../components/flight-list.tsx'
import { type Part, PartLinks } from '../../components/lists.tsx'
import { classOptions, seatWords, travellerLabels, wordOf } from '../../components/seat.ts'
import { Section } from '../../components/section.tsx'
import type { Formats } from '../../framework/formats.ts'
import { Layout } from '../../framework/layout.tsx'
import { Atlas, atlasScripts } from '../../maps/atlas.tsx'
import type { MapDrawing } from '../../maps/draw.ts'
import { PICTURE } from '../../maps/plan.ts'
import { RouteList } from '../../maps/route-map.tsx'

type World = Pick<ComponentProps<typeof CountryMap>, 'shapes' | 'size'>

function SharedFigures({ stats, planned, formats }: { stats: VisitorStats; planned: number; formats: Formats }) {
  const most = [
    ['Airport', stats.topAirport],
    ['Route', stats.topRoute],
    ['Airline', stats.topAirline],
    ['Aircraft', stats.topAircraft],
  ] as const
  return (
    <Figures
      title="Figures"
      // Beside a larger number above it, it says which ones it means.
      main={mainFigures(stats, formats, planned > 0 ? 'Flights flown' : 'Flights')}
      most={most.flatMap(([kind, name]) => (name ? [[kind, <bdi key={kind}>{name}</bdi>]] : []))}
    />
  )
}

const timeNames = {
  departure: 'Departure',
  arrival: 'Arrival',
  departureScheduled: 'Scheduled departure',
  arrivalScheduled: 'Scheduled arrival',
  takeoffScheduled: 'Scheduled take-off',
  takeoffActual: 'Take-off',
  landingScheduled: 'Scheduled landing',
  landingActual: 'Landing',
} as const

/** A clock on another day than the flight's own says so. */
function clockOf(local: string, date: string, formats: Formats): string {
  const later = laterBy(date, local.slice(0, 10))
  return formats.clock(local) + (later && ` (${later} d)`)
}

type Detail = readonly [words: string | undefined, value?: string | null | undefined]

/** What the share shows beyond the route, in words; a choice also as the API names it. */
function toErrorDetails(flight: VisitorFlight, formats: Formats): readonly Detail[] {
  const { flightNumber, airline, aircraft, aircraftReg, seat, seatClass, times = {}, date = '' } = flight
  const inClass = wordOf(classOptions, seatClass)
  const clocks = Object.entries(times).map(
    ([name, local]) => `${timeNames[name as keyof typeof timeNames]} ${clockOf(local, date, formats)}`,
  )
  const details: Detail[] = [
    ...[[airline, flightNumber].filter(Boolean).join(' '), aircraft, aircraftReg].map((words): Detail => [words ?? '']),
    [seatWords(flight), seat],
    [inClass && `${travellerLabels.seatClass}: ${inClass}`, seatClass],
    ...clocks.map((words): Detail => [words]),
  ]
  return details.filter(([words]) => words)
}

function FlightLine({ flight, formats }: { flight: VisitorFlight; formats: Formats }) {
  const details = toErrorDetails(flight, formats)
  const what = details.map(([words, value]) => (
    <span key={words} dir="auto">
      {value ? <data value={value}>{words}</data> : words}
    </span>
  ))
  return <LogLine {...flight} formats={formats} what={details.length > 0 && what} />
}

function FlightList({ list, part, formats }: { list: VisitorFlight[]; part: Part; formats: Formats }) {
  const undated = list.every(({ date }) => date === undefined)
  return (
    <Section id="flights" title="Flights">
      <ol class={undated ? 'log undated' : 'log'}>
        {list.map((flight, index) => (
          // The list never changes on the page, so the position is key enough.
          <FlightLine key={index} flight={flight} formats={formats} />
        ))}
      </ol>
      <PartLinks {...part} things="flights" anchor="flights" />
    </Section>
  )
}

function Countries({ codes, world, formats }: { codes: readonly string[]; world: World; formats: Formats }) {
  const names = codes.map((code) => countryName(code) ?? code).sort((a, b) => a.localeCompare(b, 'en'))
  return (
    <Section id="countries" title={codes.length === 1 ? 'One country' : `${formats.count(codes.length)} countries`}>
      <CountryMap
        {...world}
        standings={new Map(codes.map((code) => [code, 'visited']))}
        description={`${names.join(', ')}.`}
      />
      <p class="quiet">{names.join(', ')}</p>
    </Section>
  )
}

interface Props {
  basePath: string
  /** The public address, for those who show a preview of it. */
  url: string
  view: Omit<VisitorView, 'map'>
  drawing: MapDrawing | undefined
  /** What countries are drawn with. */
  world: World | undefined
  part: Part
  formats: Formats
}

/** What messengers and networks show beside a link: nothing that the page itself does not say. */
function Preview({ url, title, drawing }: { url: string; title: string; drawing: MapDrawing | undefined }) {
  const description = drawing?.description ?? 'A part of a flight log, shared by its owner.'
  return (
    <>
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Paxlog" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      <meta name="twitter:card" content={drawing ? 'summary_large_image' : 'summary'} />
      {drawing && (
        <>
          <meta property="og:image" content={`${url}/map.png`} />
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content={String(PICTURE.width)} />
          <meta property="og:image:height" content={String(PICTURE.height)} />
          <meta property="og:image:alt" content={drawing.title} />
        </>
      )}
    </>
  )
}

/** A part of somebody's log, as far as its owner shows it; nobody is named. */
export function SharePage({ basePath, url, view, drawing, world, part, formats }: Props) {
  const { flightCount, stats, list, countries = [] } = view
  const count = flightCount === 1 ? 'One flight' : `${formats.count(flightCount)} flights`
  const headline = flightCount === 0 ? 'No flights' : count
  // Figures are of what was flown.
  const planned = stats ? flightCount - stats.flights : 0
  const title = `${headline} – a shared flight log`
  return (
    <Layout
      title={`${title} – Paxlog`}
      basePath={basePath}
      scripts={drawing && part.page === 1 ? atlasScripts : []}
      meta={<Preview url={url} title={title} drawing={drawing} />}
    >
      <div class="lead">
        <div>
          <h1>{headline}</h1>
          <p class="quiet">
            A flight log that somebody shares with you.
            {planned === 1 && ' One of the flights is still to come.'}
            {planned > 1 && ` ${formats.count(planned)} of the flights are still to come.`}
          </p>
        </div>
      </div>
      {flightCount === 0 && <p class="card empty">This share shows no flights at the moment.</p>}
      {flightCount > 0 && !drawing && !stats && !list && (
        <p class="card empty">Its owner shows how many flights there are, and nothing more.</p>
      )}
      {drawing && part.page === 1 && (
        <Section id="places" title="Map" untitled>
          <Atlas basePath={basePath} drawing={drawing} data={`${part.path}/map.json`} />
          <RouteList lines={drawing.lines} />
        </Section>
      )}
      {stats && flightCount > 0 && part.page === 1 && (
        <SharedFigures stats={stats} planned={planned} formats={formats} />
      )}
      {world && countries.length > 0 && part.page === 1 && (
        <Countries codes={countries} world={world} formats={formats} />
      )}
      {list && flightCount > 0 && <FlightList list={list} part={part} formats={formats} />}
    </Layout>
  )
}
