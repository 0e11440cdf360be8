import { addressOf } from '../../components/filter-bar/filter.ts'
import { FilterBar, NothingFound } from '../../components/filter-bar/filter-bar.tsx'
import type { ShownFilter } from '../../components/filter-bar/read-filter.ts'
import { Crumb, NoFlights } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import { Layout } from '../../framework/layout.tsx'

/** The files that are offered, in their order. */
export const exportForms = [
  {
    name: 'json',
    title: 'JSON',
    words: 'Everything: with people, tracks and custom fields. Any Paxlog can import it again.',
  },
  { name: 'csv', title: 'CSV', words: 'For spreadsheets: one row a flight, with local times.' },
  { name: 'kml', title: 'KML', words: 'For Google Earth and other globes: routes, and tracks where there are some.' },
  { name: 'geojson', title: 'GeoJSON', words: 'For maps and GIS programs: great circles, and tracks.' },
  {
    name: 'ics',
    title: 'Calendar (ICS)',
    words: 'For calendars: one event a flight, once. Settings, Calendar keeps up.',
  },
] as const

interface Props extends Frame {
  /** Absent where the role may export its flights but not look at them. */
  shown: ShownFilter | undefined
  count: number | undefined
}

export function ExportPage({ shown, count, ...frame }: Props) {
  const { basePath, formats } = frame
  const isEmpty = count === 0
  return (
    <Layout {...frame} title="Export flights – Paxlog" place="home" below>
      <Crumb href={basePath || '/'}>Flights</Crumb>
      <h1>Export flights</h1>
      {shown && <FilterBar basePath={basePath} action="/export" shown={shown} />}
      {count !== undefined && !isEmpty && (
        <p>
          {formats.count(count)} {count === 1 ? 'flight goes' : 'flights go'} into the file.
        </p>
      )}
      {isEmpty && shown?.query && <NothingFound basePath={basePath} action="/export" shown={shown} />}
      {isEmpty && !shown?.query && <NoFlights basePath={basePath} />}
      {!isEmpty && (
        <ul class="cards forms">
          {exportForms.map(({ name, title, words }) => (
            <li key={name} class="card">
              <h2>{title}</h2>
              <p class="quiet">{words}</p>
              <a class="button" href={basePath + addressOf(`/export/${name}`, shown?.query ?? '')} download>
                Download<span class="unseen"> as {title}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Layout>
  )
}
