import type { flightParts as source } from '../en/flight-parts.ts'
import { plural, type Translation } from '../message.ts'

export const flightParts: Translation<typeof source> = {
  addedBy: 'Añadido por {name} el {moment}.',
  addedByOperator: 'Añadido por el operador el {moment}.',
  changedBy: 'Modificado por última vez por {name} el {moment}.',
  changedByOperator: 'Modificado por última vez por el operador el {moment}.',
  deleteThis: 'Eliminar este vuelo',
  delete: 'Eliminar vuelo',
  deletedFromLog: 'Este vuelo se eliminará del registro.',
  deletedFromBoth: 'Este vuelo se eliminará del registro de los dos pasajeros.',
  deletedFromAll: plural({ other: 'Este vuelo se eliminará del registro de los {count} pasajeros.' }),
  withNote: 'También se eliminará su nota.',
  withTrack: 'También se eliminará su trayectoria.',
  withNoteAndTrack: 'También se eliminarán su nota y su trayectoria.',
  final: 'No se puede deshacer.',
  restorable: plural({ one: 'Podrás restaurarlo durante un día.', other: 'Podrás restaurarlo durante {count} días.' }),
}
