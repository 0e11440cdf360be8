import type { flightParts as source } from '../en/flight-parts.ts'
import { plural, type Translation } from '../message.ts'

export const flightParts: Translation<typeof source> = {
  addedBy: 'Ajouté par {name} le {moment}.',
  addedByOperator: 'Ajouté par l’administrateur du serveur le {moment}.',
  changedBy: 'Dernière modification par {name} le {moment}.',
  changedByOperator: 'Dernière modification par l’administrateur du serveur le {moment}.',
  deleteThis: 'Supprimer ce vol',
  delete: 'Supprimer le vol',
  deletedFromLog: 'Ce vol sera supprimé du carnet.',
  deletedFromBoth: 'Ce vol sera supprimé du carnet des deux passagers.',
  deletedFromAll: plural({ other: 'Ce vol sera supprimé du carnet des {count} passagers.' }),
  withNote: 'Sa note sera aussi supprimée.',
  withTrack: 'Sa trace sera aussi supprimée.',
  withNoteAndTrack: 'Sa note et sa trace seront aussi supprimées.',
  final: 'Cette action est irréversible.',
  restorable: plural({
    one: 'Vous pourrez le restaurer pendant {count} jour.',
    other: 'Vous pourrez le restaurer pendant {count} jours.',
  }),
}
