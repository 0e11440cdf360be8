import type { seats as source } from '../en/seats.ts'
import type { Translation } from '../message.ts'

export const seats: Translation<typeof source> = {
  labels: {
    who: 'Quem',
    guestName: 'Nome do convidado',
    seat: 'Assento',
    seatNumber: 'Número do assento',
    seatClass: 'Classe',
    flightReason: 'Motivo',
  },
  notStated: 'Sem dados',
  seats: {
    window: 'Janela',
    aisle: 'Corredor',
    middle: 'Meio',
    pilot: 'Piloto',
    copilot: 'Copiloto',
    jumpseat: 'Jump seat',
    other: 'Outro',
  },
  classes: {
    economy: 'Econômica',
    'economy+': 'Econômica premium',
    business: 'Executiva',
    first: 'Primeira',
    private: 'Particular',
  },
  reasons: { leisure: 'Lazer', business: 'Trabalho', crew: 'Tripulação', other: 'Outro' },
  /** A seat without a number. */
  kinds: {
    window: 'Assento na janela',
    aisle: 'Assento no corredor',
    middle: 'Assento do meio',
    pilot: 'Piloto',
    copilot: 'Copiloto',
    jumpseat: 'Jump seat',
    other: 'Outro assento',
  },
  numbered: 'Assento {number}',
  numberedKinds: {
    window: 'Assento {number}, janela',
    aisle: 'Assento {number}, corredor',
    middle: 'Assento {number}, meio',
    pilot: 'Assento {number}, piloto',
    copilot: 'Assento {number}, copiloto',
    jumpseat: 'Assento {number}, jump seat',
    other: 'Assento {number}, outro',
  },
  seatClass: 'Classe: {seatClass}',
  reason: 'Motivo: {reason}',
}
