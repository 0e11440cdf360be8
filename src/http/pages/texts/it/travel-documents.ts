import type { travelDocuments as source } from '../en/travel-documents.ts'
import { plural, type Translation } from '../message.ts'

export const travelDocuments: Translation<typeof source> = {
  way: "Carta d'imbarco o e-mail",
  wayHint:
    "Scansiona una carta d'imbarco oppure scegli una foto, un pass Wallet, un'e-mail di conferma o un file di calendario.",
  scan: 'Scansiona con la fotocamera',
  file: 'Foto o file',
  pasteText: 'Incolla testo',
  text: "Testo del codice a barre di una carta d'imbarco, di un'e-mail o di un calendario",
  read: 'Leggi voli',

  title: 'Aggiungi voli da un documento',
  photoNeedsScript:
    'Le foto vengono lette nel browser, per cui serve JavaScript. Scegli un altro tipo di file o inserisci il volo manualmente.',
  noFlight:
    "Nessun volo trovato. Un'e-mail deve contenere dati di volo strutturati, un file di calendario o un pass Wallet. Scegli un altro file, oppure inserisci il volo manualmente.",
  nothingGiven: 'Scegli un file o incolla un testo.',
  enterManually: 'Inserisci il volo manualmente',

  found: plural({ one: '{count} volo trovato', other: '{count} voli trovati' }),
  foundHint: 'Non è ancora stato salvato nulla. Controlla i voli, poi salvali.',
  kinds: {
    boarding_pass: "Carta d'imbarco",
    wallet_pass: 'Pass Wallet',
    reservation: 'Prenotazione',
    event: 'Evento di calendario',
  },
  unknownRoute: 'Rotta sconosciuta',
  unknownAirport: 'Aeroporto sconosciuto',
  route: '{from} – {to}',
  times: '{departure} – {arrival}',
  departs: 'Partenza {time}',
  arrives: 'Arrivo {time}',
  seat: 'Posto {seat}',
  terminal: 'Terminal {terminal}',
  gate: 'Gate {gate}',
  booking: 'Prenotazione {reference}',
  duplicate: 'Già nel tuo diario. <link>Mostra volo</link>',
  select: 'Salva il volo da {from} a {to}',
  selectUnknown: 'Salva questo volo',

  saveOne: 'Salva volo',
  saveAll: 'Salva tutti',
  saveSelected: 'Salva selezionati',
  selectOne: 'Seleziona almeno un volo.',
  saved: plural({ one: '{count} volo aggiunto.', other: '{count} voli aggiunti.' }),
  someSaved: plural({
    one: '{count} volo aggiunto. Correggi gli altri e salva di nuovo.',
    other: '{count} voli aggiunti. Correggi gli altri e salva di nuovo.',
  }),
  expired: 'Questa pagina non può più essere salvata. Leggi di nuovo il documento.',
}
