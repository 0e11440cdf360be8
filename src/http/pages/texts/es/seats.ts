import type { seats as source } from '../en/seats.ts'
import type { Translation } from '../message.ts'

export const seats: Translation<typeof source> = {
  labels: {
    who: 'Persona',
    guestName: 'Nombre del invitado',
    seat: 'Asiento',
    seatNumber: 'Número de asiento',
    seatClass: 'Clase',
    flightReason: 'Motivo',
  },
  notStated: 'Sin indicar',
  seats: {
    window: 'Ventanilla',
    aisle: 'Pasillo',
    middle: 'Centro',
    pilot: 'Piloto',
    copilot: 'Copiloto',
    jumpseat: 'Transportín',
    other: 'Otro',
  },
  classes: {
    economy: 'Económica',
    'economy+': 'Económica premium',
    business: 'Business',
    first: 'Primera',
    private: 'Privada',
  },
  reasons: { leisure: 'Ocio', business: 'Trabajo', crew: 'Tripulación', other: 'Otro' },
  /** A seat without a number. */
  kinds: {
    window: 'Asiento de ventanilla',
    aisle: 'Asiento de pasillo',
    middle: 'Asiento del centro',
    pilot: 'Piloto',
    copilot: 'Copiloto',
    jumpseat: 'Transportín',
    other: 'Otro asiento',
  },
  numbered: 'Asiento {number}',
  numberedKinds: {
    window: 'Asiento {number}, ventanilla',
    aisle: 'Asiento {number}, pasillo',
    middle: 'Asiento {number}, centro',
    pilot: 'Asiento {number}, piloto',
    copilot: 'Asiento {number}, copiloto',
    jumpseat: 'Asiento {number}, transportín',
    other: 'Asiento {number}, otro',
  },
  seatClass: 'Clase: {seatClass}',
  reason: 'Motivo: {reason}',
}
