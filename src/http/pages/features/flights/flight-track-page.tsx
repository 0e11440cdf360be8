import type { Flight } from '../../../../domain/flights/contract.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import { FaultSummary, Field } from '../../components/fields.tsx'
import { DangerForm, PostForm } from '../../components/forms.tsx'
import { Pairs } from '../../components/lists.tsx'
import { Crumb, Section } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Faults } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import type { MapDrawing } from '../../maps/draw.ts'
import { MapLegend } from '../../maps/map-legend.tsx'
import { HeightLegend, RouteMap } from '../../maps/route-map.tsx'

interface Props extends Frame {
  flight: Flight
  map: MapDrawing | undefined
  faults: Faults
  mayChange: boolean
}

const fields = { file: { id: 'file', label: 'File' } }

const sources: Record<NonNullable<Flight['track']>['sourceFormat'], string> = {
  gpx: 'GPX',
  kml: 'KML',
  csv: 'CSV',
  readsb: 'readsb or tar1090',
}

const pathOf = ({ basePath, flight }: Pick<Props, 'basePath' | 'flight'>) => `${basePath}/flights/${flight.id}/track`

/** The way to the track from the page of its flight, for those who find something there. */
export function TrackLink({ basePath, flight, mayChange }: Pick<Props, 'basePath' | 'flight' | 'mayChange'>) {
  if (!flight.track && !mayChange) return null
  return (
    <a class="button" href={pathOf({ basePath, flight })}>
      {flight.track ? 'Track' : 'Add a track'}
    </a>
  )
}

function Stored({ flight, map, formats, basePath }: Props) {
  const { track } = flight
  if (!track) return <p>This flight has no track yet.</p>
  const path = pathOf({ basePath, flight })
  return (
    <Section id="stored" title="Stored track">
      {map && <RouteMap drawing={map} />}
      {map && <MapLegend drawing={map} />}
      {map && <HeightLegend drawing={map} formats={formats} />}
      <Pairs
        class="facts wide"
        pairs={[
          ['Points', formats.count(track.pointCount)],
          ['Source', sources[track.sourceFormat]],
          ...(track.sourceName ? [['Name', <bdi>{track.sourceName}</bdi>] as [string, preact.JSX.Element]] : []),
          ['Stored', formats.moment(track.updatedAt)],
        ]}
      />
      <p class="actions">
        <a class="button" href={`${path}.gpx`} download>
          Download as GPX
        </a>
        <a class="button" href={`${path}.json`} download>
          Download as JSON
        </a>
      </p>
    </Section>
  )
}

function Upload({ flight, faults, viewer, basePath }: Props) {
  const { track } = flight
  return (
    <Section id="upload" title={track ? 'Another file' : 'A file'}>
      <PostForm
        action={pathOf({ basePath, flight })}
        csrf={viewer.csrf}
        submit={track ? 'Replace the track' : 'Store the track'}
        encType="multipart/form-data"
      >
        <Field
          {...fields.file}
          name="file"
          hint="GPX, KML, a CSV with latitude and longitude (also of Flightradar24 and FlightAware), or the trace of readsb and tar1090. Of a whole day of an aircraft the leg that fits this flight is taken."
          fault={faults.file}
          input={{ type: 'file', required: true }}
        />
        {track && <p class="warning">The track that is stored now is replaced.</p>}
      </PostForm>
    </Section>
  )
}

export function FlightTrackPage(props: Props) {
  const { flight, basePath, viewer, faults, mayChange } = props
  const way = `${codeOf(flight.from)} to ${codeOf(flight.to)}`
  return (
    <Layout {...props} title={`Track, ${way} – Paxlog`} faults={faults} place="home" below>
      <Crumb href={`${basePath}/flights/${flight.id}`}>{way}</Crumb>
      <h1>Track</h1>
      <FaultSummary faults={faults} fields={fields} />
      <Stored {...props} />
      {mayChange && <Upload {...props} />}
      {mayChange && flight.track && (
        <div class="removal">
          <DangerForm
            action={`${pathOf(props)}/delete`}
            csrf={viewer.csrf}
            summary="Remove the track"
            button="Remove the track"
          >
            <p>All its points go, the flight stays. This cannot be undone.</p>
          </DangerForm>
        </div>
      )}
    </Layout>
  )
}
