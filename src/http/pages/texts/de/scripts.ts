import type { scripts as source } from '../en/scripts.ts'
import { plural, type Translation } from '../message.ts'

/** Texts of the scripts, which get them as JSON in `data-texts`. Only the map compiles messages. */
export const scripts: Translation<typeof source> = {
  map: {
    drawn: 'Eingezeichnete Routen: {drawn} von {all}.',
    tools: 'Karte',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    showAll: 'Alles anzeigen',
    globe: 'Globus',
    saveAsPng: 'Als PNG speichern',
    flights: plural({ one: '{count} Flug', other: '{count} Flüge' }),
    flightsOnDay: plural({ one: '{count} Flug, {day}', other: '{count} Flüge, {day}' }),
    flightsBetween: plural({ one: '{count} Flug, {first} bis {last}', other: '{count} Flüge, {first} bis {last}' }),
    planned: 'geplant',
    somePlanned: plural({ one: 'davon {count} geplant', other: 'davon {count} geplant' }),
    visits: plural({ one: '{count} Besuch', other: '{count} Besuche' }),
    moreAirlines: plural({ other: '{names} und {count} weitere' }),
    seeFlights: 'Flüge anzeigen',
    replay: {
      title: 'Wiedergabe',
      open: 'Flüge abspielen',
      play: 'Abspielen',
      pause: 'Pause',
      timeline: 'Zeitleiste',
      speed: 'Tempo',
      close: 'Wiedergabe schließen',
      position: '{day}, Flüge: {flights}',
    },
    keys: {
      title: 'Tastenkürzel',
      close: 'Schließen',
      names: { arrows: '← ↑ → ↓', zoom: '+ −', all: '0', globe: 'G', replay: 'R', help: '?' },
      actions: {
        arrows: 'Karte verschieben',
        zoom: 'Zoomen',
        all: 'Alles anzeigen',
        globe: 'Globus oder flache Karte',
        replay: 'Flüge abspielen',
        help: 'Diese Liste anzeigen',
      },
    },
    /** The keys of MapLibre. */
    mapLibre: {
      'Map.Title': 'Karte der Routen',
      'CooperativeGesturesHandler.WindowsHelpText': 'Zum Zoomen Strg + Scrollen verwenden',
      'CooperativeGesturesHandler.MacHelpText': 'Zum Zoomen ⌘ + Scrollen verwenden',
      'CooperativeGesturesHandler.MobileHelpText': 'Karte mit zwei Fingern verschieben',
    },
  },
  copy: {
    copied: 'Kopiert.',
    selected: 'Ausgewählt. Kopieren Sie den Text mit der Tastatur.',
  },
  travelDocument: {
    scan: 'Mit der Kamera scannen',
    close: 'Schließen',
    reading: 'Wird gelesen\u00a0…',
    startingCamera: 'Kamera wird gestartet\u00a0…',
    holdCode: 'Halten Sie den Barcode Ihrer Bordkarte vor die Kamera.',
    otherCode: 'Dieser Code stammt nicht von einer Bordkarte.',
    noCode: 'Kein Barcode gefunden. Fotografieren Sie ihn aus der Nähe und direkt von oben.',
    unreadablePhoto:
      'Ihr Browser kann dieses Foto nicht lesen. Speichern Sie es als JPEG oder PNG und versuchen Sie es erneut.',
    cameraRefused:
      'Erlauben Sie dieser Website in den Browsereinstellungen den Zugriff auf die Kamera, oder wählen Sie ein Foto.',
    noCamera: 'Keine Kamera gefunden. Wählen Sie stattdessen ein Foto.',
    cameraFailed:
      'Die Kamera konnte nicht gestartet werden. Schließen Sie andere Apps, die sie verwenden, oder wählen Sie ein Foto.',
    notLoaded: 'Der Barcodeleser konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  },
  lookup: {
    closed: 'geschlossen',
    noCode: 'kein Code',
    until: 'bis {year}',
    suggestions: 'Vorschläge',
    searching: 'Suche läuft.',
    none: 'Keine Vorschläge.',
    one: 'Ein Vorschlag.',
    several: 'Vorschläge: {count}.',
  },
  flightForm: {
    searching: 'Flugnummer wird gesucht.',
    isYours: 'Ist das Ihr Flug?',
    notFound: 'Flugnummer nicht gefunden.',
    filledIn: 'Ausgefüllt: {label}.',
  },
  passkeys: {
    cancelled: 'Die Anfrage wurde abgebrochen oder ist abgelaufen. Versuchen Sie es erneut.',
    exists: 'Dieses Gerät hat bereits einen Passkey für Ihr Konto.',
    unsupported: 'Passkeys lassen sich in diesem Browser nicht verwenden.',
    failed: 'Die Anfrage ist fehlgeschlagen. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  },
  offline: {
    turnOn: 'Einschalten',
    turnOff: 'Ausschalten',
    storing: 'Ihre Flüge werden gespeichert.',
    on: 'Ein. Ihre Flüge sind in diesem Browser gespeichert.',
    off: 'Aus. In diesem Browser ist nichts gespeichert.',
    failed: 'Ihre Flüge konnten nicht gespeichert werden. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  },
  importProgress: {
    sending: 'Datei wird gelesen.',
    checking: 'Zeilen werden geprüft.',
    saving: 'Wird abgeschlossen.',
    rows: '{done} von {rows} Zeilen',
  },
  shortcuts: {
    title: 'Tastenkürzel',
    close: 'Schließen',
    use: 'Tastenkürzel in diesem Browser verwenden',
    actions: {
      '/': 'Suchen',
      n: 'Flug hinzufügen',
      'g h': 'Zu den Flügen',
      'g m': 'Zur Karte',
      'g s': 'Zur Statistik',
      'g t': 'Zu den Reisen',
      '?': 'Diese Liste anzeigen',
    },
  },
  docsSearch: {
    found: 'Operationen: {count}',
    none: 'Keine passenden Operationen.',
  },
  tryIt: {
    noBody: 'Kein Body.',
    shortened: 'Der Rest wird nicht angezeigt.',
    failed: 'Die Anfrage ist fehlgeschlagen. Prüfen Sie den Schlüssel und Ihre Verbindung.',
  },
}
