import type { flightParts as source } from '../en/flight-parts.ts'
import { plural, type Translation } from '../message.ts'

export const flightParts: Translation<typeof source> = {
  addedBy: 'Hinzugefügt von {name} am {moment}.',
  addedByOperator: 'Hinzugefügt vom Betreiber am {moment}.',
  changedBy: 'Zuletzt geändert von {name} am {moment}.',
  changedByOperator: 'Zuletzt geändert vom Betreiber am {moment}.',
  deleteThis: 'Diesen Flug löschen',
  delete: 'Flug löschen',
  deletedFromLog: 'Dieser Flug wird aus dem Flugbuch gelöscht.',
  deletedFromBoth: 'Dieser Flug wird aus den Flugbüchern beider Passagiere gelöscht.',
  deletedFromAll: plural({ other: 'Dieser Flug wird aus den Flugbüchern aller {count} Passagiere gelöscht.' }),
  withNote: 'Auch seine Notiz wird gelöscht.',
  withTrack: 'Auch sein Track wird gelöscht.',
  withNoteAndTrack: 'Auch seine Notiz und sein Track werden gelöscht.',
  final: 'Das lässt sich nicht rückgängig machen.',
  restorable: plural({
    one: 'Sie können ihn einen Tag lang wiederherstellen.',
    other: 'Sie können ihn {count} Tage lang wiederherstellen.',
  }),
}
