import type { travelDocuments as source } from '../en/travel-documents.ts'
import { plural, type Translation } from '../message.ts'

/** Boarding passes, wallet passes, confirmation e-mails and calendar files. */
export const travelDocuments: Translation<typeof source> = {
  way: 'Bordkarte oder E-Mail',
  wayHint:
    'Scannen Sie eine Bordkarte, oder wählen Sie ein Foto, einen Wallet-Pass, eine Buchungsbestätigung per E-Mail oder eine Kalenderdatei.',
  scan: 'Mit der Kamera scannen',
  file: 'Foto oder Datei',
  pasteText: 'Text einfügen',
  text: 'Text aus dem Barcode einer Bordkarte, einer E-Mail oder einem Kalender',
  read: 'Flüge auslesen',

  title: 'Flüge aus einem Dokument hinzufügen',
  photoNeedsScript:
    'Fotos werden in Ihrem Browser gelesen, wofür JavaScript nötig ist. Wählen Sie eine andere Art von Datei, oder geben Sie den Flug manuell ein.',
  noFlight:
    'Kein Flug gefunden. Eine E-Mail muss strukturierte Flugdaten, eine Kalenderdatei oder einen Wallet-Pass enthalten. Wählen Sie eine andere Datei, oder geben Sie den Flug manuell ein.',
  nothingGiven: 'Wählen Sie eine Datei oder fügen Sie einen Text ein.',
  enterManually: 'Flug manuell eingeben',

  found: plural({ one: '{count} Flug gefunden', other: '{count} Flüge gefunden' }),
  foundHint: 'Noch ist nichts gespeichert. Prüfen Sie die Flüge und speichern Sie sie dann.',
  kinds: {
    boarding_pass: 'Bordkarte',
    wallet_pass: 'Wallet-Pass',
    reservation: 'Reservierung',
    event: 'Kalendertermin',
  },
  unknownRoute: 'Unbekannte Route',
  unknownAirport: 'Unbekannter Flughafen',
  route: '{from} – {to}',
  times: '{departure} – {arrival}',
  departs: 'Abflug {time}',
  arrives: 'Ankunft {time}',
  seat: 'Platz {seat}',
  terminal: 'Terminal {terminal}',
  gate: 'Gate {gate}',
  booking: 'Buchung {reference}',
  duplicate: 'Bereits in Ihrem Flugbuch. <link>Flug anzeigen</link>',
  select: 'Flug {from} – {to} speichern',
  selectUnknown: 'Diesen Flug speichern',

  saveOne: 'Flug speichern',
  saveAll: 'Alle speichern',
  saveSelected: 'Auswahl speichern',
  selectOne: 'Wählen Sie mindestens einen Flug aus.',
  saved: plural({ one: '{count} Flug wurde hinzugefügt.', other: '{count} Flüge wurden hinzugefügt.' }),
  someSaved: plural({
    one: '{count} Flug wurde hinzugefügt. Korrigieren Sie die übrigen und speichern Sie erneut.',
    other: '{count} Flüge wurden hinzugefügt. Korrigieren Sie die übrigen und speichern Sie erneut.',
  }),
  expired: 'Diese Seite kann nicht mehr gespeichert werden. Lesen Sie das Dokument erneut ein.',
}
