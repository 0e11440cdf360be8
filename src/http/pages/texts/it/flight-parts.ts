import type { flightParts as source } from '../en/flight-parts.ts'
import { plural, type Translation } from '../message.ts'

export const flightParts: Translation<typeof source> = {
  addedBy: 'Aggiunto da {name} ({moment}).',
  addedByOperator: 'Aggiunto dal gestore del server ({moment}).',
  changedBy: 'Ultima modifica di {name} ({moment}).',
  changedByOperator: 'Ultima modifica del gestore del server ({moment}).',
  deleteThis: 'Elimina questo volo',
  delete: 'Elimina volo',
  deletedFromLog: 'Questo volo verrà eliminato dal diario.',
  deletedFromBoth: 'Questo volo verrà eliminato dai diari di entrambi i passeggeri.',
  deletedFromAll: plural({ other: 'Questo volo verrà eliminato dai diari di tutti i passeggeri ({count}).' }),
  withNote: 'Verrà eliminata anche la sua nota.',
  withTrack: 'Verrà eliminata anche la sua traccia.',
  withNoteAndTrack: 'Verranno eliminate anche la sua nota e la sua traccia.',
  final: 'Questa operazione non può essere annullata.',
  restorable: plural({ one: 'Potrai ripristinarlo per un giorno.', other: 'Potrai ripristinarlo per {count} giorni.' }),
}
