import type { seats as source } from '../en/seats.ts'
import type { Translation } from '../message.ts'

export const seats: Translation<typeof source> = {
  labels: {
    who: 'Wer',
    guestName: 'Name des Gasts',
    seat: 'Sitzplatz',
    seatNumber: 'Platznummer',
    seatClass: 'Klasse',
    flightReason: 'Anlass',
  },
  notStated: 'Keine Angabe',
  seats: {
    window: 'Fenster',
    aisle: 'Gang',
    middle: 'Mitte',
    pilot: 'Pilot',
    copilot: 'Copilot',
    jumpseat: 'Jumpseat',
    other: 'Sonstiger',
  },
  classes: {
    economy: 'Economy',
    'economy+': 'Premium Economy',
    business: 'Business',
    first: 'First',
    private: 'Privatflug',
  },
  reasons: { leisure: 'Privat', business: 'Geschäftlich', crew: 'Crew', other: 'Sonstiger' },
  /** A seat without a number. */
  kinds: {
    window: 'Fensterplatz',
    aisle: 'Gangplatz',
    middle: 'Mittelplatz',
    pilot: 'Pilot',
    copilot: 'Copilot',
    jumpseat: 'Jumpseat',
    other: 'Sonstiger Platz',
  },
  numbered: 'Platz {number}',
  numberedKinds: {
    window: 'Platz {number}, Fenster',
    aisle: 'Platz {number}, Gang',
    middle: 'Platz {number}, Mitte',
    pilot: 'Platz {number}, Pilot',
    copilot: 'Platz {number}, Copilot',
    jumpseat: 'Platz {number}, Jumpseat',
    other: 'Platz {number}, sonstiger',
  },
  seatClass: 'Klasse: {seatClass}',
  reason: 'Anlass: {reason}',
}
