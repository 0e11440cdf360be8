import { plural } from '../message.ts'

/** Texts of the scripts, which get them as JSON in `data-texts`. Only the map compiles messages. */
export const scripts = {
  map: {
    drawn: '{drawn} of {all} routes are drawn.',
    tools: 'Map',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    showAll: 'Show all',
    globe: 'Globe',
    saveAsPng: 'Save as PNG',
    flights: plural({ one: '{count} flight', other: '{count} flights' }),
    flightsOnDay: plural({ one: '{count} flight, {day}', other: '{count} flights, {day}' }),
    flightsBetween: plural({ one: '{count} flight, {first} to {last}', other: '{count} flights, {first} to {last}' }),
    planned: 'planned',
    somePlanned: plural({ one: '{count} of them planned', other: '{count} of them planned' }),
    visits: plural({ one: '{count} visit', other: '{count} visits' }),
    moreAirlines: plural({ other: '{names} and {count} more' }),
    seeFlights: 'Show flights',
    replay: {
      title: 'Replay',
      open: 'Replay your flights',
      play: 'Play',
      pause: 'Pause',
      timeline: 'Timeline',
      speed: 'Speed',
      close: 'Close replay',
      position: '{day}, flights: {flights}',
    },
    keys: {
      title: 'Keyboard shortcuts',
      close: 'Close',
      names: { arrows: '← ↑ → ↓', zoom: '+ −', all: '0', globe: 'G', replay: 'R', help: '?' },
      actions: {
        arrows: 'Move the map',
        zoom: 'Zoom',
        all: 'Show all',
        globe: 'Globe or flat map',
        replay: 'Replay your flights',
        help: 'Show this list',
      },
    },
    /** The keys of MapLibre. */
    mapLibre: {
      'Map.Title': 'Map of routes',
      'CooperativeGesturesHandler.WindowsHelpText': 'Use Ctrl + scroll to zoom the map',
      'CooperativeGesturesHandler.MacHelpText': 'Use ⌘ + scroll to zoom the map',
      'CooperativeGesturesHandler.MobileHelpText': 'Use two fingers to move the map',
    },
  },
  copy: {
    copied: 'Copied.',
    selected: 'Selected. Copy it with the keyboard.',
  },
  lookup: {
    closed: 'closed',
    noCode: 'no code',
    suggestions: 'Suggestions',
    searching: 'Searching.',
    none: 'No suggestions.',
    one: 'One suggestion.',
    several: 'Suggestions: {count}.',
  },
  flightForm: {
    searching: 'Looking up the flight number.',
    isYours: 'Is this your flight?',
    notFound: 'Flight number not found.',
    filledIn: 'Filled in from {label}.',
  },
  tryIt: {
    noBody: 'No body.',
    shortened: 'The rest is not shown.',
    failed: 'The request failed. Check the key and your connection.',
  },
} as const
