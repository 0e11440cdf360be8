import { plural } from '../message.ts'

/** Boarding passes, wallet passes, confirmation e-mails and calendar files. */
export const travelDocuments = {
  way: 'Boarding pass or e-mail',
  wayHint: 'Scan a boarding pass, or choose a photo, wallet pass, confirmation e-mail or calendar file.',
  scan: 'Scan with the camera',
  file: 'Photo or file',
  pasteText: 'Paste text',
  text: 'Text of a boarding pass barcode, an e-mail or a calendar',
  read: 'Read flights',

  title: 'Add flights from a document',
  photoNeedsScript:
    'Photos are read in your browser, which needs JavaScript. Choose another kind of file, or enter the flight manually.',
  noFlight:
    'No flight found. An e-mail must contain structured flight data, a calendar file or a wallet pass. Choose another file, or enter the flight manually.',
  nothingGiven: 'Choose a file or paste a text.',
  enterManually: 'Enter the flight manually',

  found: plural({ one: '{count} flight found', other: '{count} flights found' }),
  foundHint: 'Nothing is saved yet. Check the flights, then save them.',
  kinds: {
    boarding_pass: 'Boarding pass',
    wallet_pass: 'Wallet pass',
    reservation: 'Reservation',
    event: 'Calendar event',
  },
  unknownRoute: 'Unknown route',
  unknownAirport: 'Unknown airport',
  route: '{from} to {to}',
  times: '{departure} – {arrival}',
  departs: 'Departs {time}',
  arrives: 'Arrives {time}',
  seat: 'Seat {seat}',
  terminal: 'Terminal {terminal}',
  gate: 'Gate {gate}',
  booking: 'Booking {reference}',
  duplicate: 'Already in your log. <link>Show flight</link>',
  select: 'Save the flight from {from} to {to}',
  selectUnknown: 'Save this flight',

  saveOne: 'Save flight',
  saveAll: 'Save all',
  saveSelected: 'Save selected',
  selectOne: 'Select at least one flight.',
  saved: plural({ one: '{count} flight was added.', other: '{count} flights were added.' }),
  someSaved: plural({
    one: '{count} flight was added. Fix the others and save again.',
    other: '{count} flights were added. Fix the others and save again.',
  }),
  expired: 'This page can no longer be saved. Read the document again.',
} as const
