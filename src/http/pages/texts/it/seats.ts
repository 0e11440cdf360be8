import type { seats as source } from '../en/seats.ts'
import type { Translation } from '../message.ts'

export const seats: Translation<typeof source> = {
  labels: {
    who: 'Chi',
    guestName: "Nome dell'ospite",
    seat: 'Posto',
    seatNumber: 'Numero di posto',
    seatClass: 'Classe',
    flightReason: 'Motivo',
  },
  notStated: 'Nessun dato',
  seats: {
    window: 'Finestrino',
    aisle: 'Corridoio',
    middle: 'Centrale',
    pilot: 'Pilota',
    copilot: 'Copilota',
    jumpseat: 'Strapuntino',
    other: 'Altro',
  },
  classes: {
    economy: 'Economy',
    'economy+': 'Premium Economy',
    business: 'Business',
    first: 'Prima classe',
    private: 'Volo privato',
  },
  reasons: { leisure: 'Svago', business: 'Lavoro', crew: 'Equipaggio', other: 'Altro' },
  /** A seat without a number. */
  kinds: {
    window: 'Posto finestrino',
    aisle: 'Posto corridoio',
    middle: 'Posto centrale',
    pilot: 'Pilota',
    copilot: 'Copilota',
    jumpseat: 'Strapuntino',
    other: 'Altro posto',
  },
  numbered: 'Posto {number}',
  numberedKinds: {
    window: 'Posto {number}, finestrino',
    aisle: 'Posto {number}, corridoio',
    middle: 'Posto {number}, centrale',
    pilot: 'Posto {number}, pilota',
    copilot: 'Posto {number}, copilota',
    jumpseat: 'Posto {number}, strapuntino',
    other: 'Posto {number}, altro',
  },
  seatClass: 'Classe: {seatClass}',
  reason: 'Motivo: {reason}',
}
