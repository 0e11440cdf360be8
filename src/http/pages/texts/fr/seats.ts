import type { seats as source } from '../en/seats.ts'
import type { Translation } from '../message.ts'

export const seats: Translation<typeof source> = {
  labels: {
    who: 'Personne',
    guestName: 'Nom de l’invité',
    seat: 'Siège',
    seatNumber: 'Numéro de siège',
    seatClass: 'Classe',
    flightReason: 'Motif',
  },
  notStated: 'Sans précision',
  seats: {
    window: 'Hublot',
    aisle: 'Couloir',
    middle: 'Milieu',
    pilot: 'Pilote',
    copilot: 'Copilote',
    jumpseat: 'Strapontin',
    other: 'Autre',
  },
  classes: {
    economy: 'Économique',
    'economy+': 'Éco premium',
    business: 'Affaires',
    first: 'Première',
    private: 'Jet privé',
  },
  reasons: { leisure: 'Loisirs', business: 'Travail', crew: 'Équipage', other: 'Autre' },
  /** A seat without a number. */
  kinds: {
    window: 'Siège hublot',
    aisle: 'Siège couloir',
    middle: 'Siège du milieu',
    pilot: 'Pilote',
    copilot: 'Copilote',
    jumpseat: 'Strapontin',
    other: 'Autre siège',
  },
  numbered: 'Siège {number}',
  numberedKinds: {
    window: 'Siège {number}, hublot',
    aisle: 'Siège {number}, couloir',
    middle: 'Siège {number}, milieu',
    pilot: 'Siège {number}, pilote',
    copilot: 'Siège {number}, copilote',
    jumpseat: 'Siège {number}, strapontin',
    other: 'Siège {number}, autre',
  },
  seatClass: 'Classe\u00a0: {seatClass}',
  reason: 'Motif\u00a0: {reason}',
}
