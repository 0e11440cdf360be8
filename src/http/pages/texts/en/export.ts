import { plural } from '../message.ts'

export const exportFlights = {
  title: 'Export flights',
  flights: 'Flights',
  contents: plural({ one: 'The file will contain {count} flight.', other: 'The file will contain {count} flights.' }),
  titles: { json: 'JSON', csv: 'CSV', kml: 'KML', geojson: 'GeoJSON', ics: 'Calendar (ICS)' },
  descriptions: {
    json: 'Everything, including people, tracks and custom fields. You can import it into any Paxlog instance.',
    csv: 'For spreadsheets: one row per flight, with local times.',
    kml: 'For Google Earth: routes, and tracks if available.',
    geojson: 'For maps and GIS programs: great circles and tracks.',
    ics: 'For calendars: one event per flight. For a calendar that updates itself, see Settings, Calendar.',
  },
  download: 'Download<unseen> as {title}</unseen>',
} as const
