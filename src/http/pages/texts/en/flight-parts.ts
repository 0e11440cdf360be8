import { plural } from '../message.ts'

export const flightParts = {
  addedBy: 'Added by {name} on {moment}.',
  addedByOperator: 'Added by the operator on {moment}.',
  changedBy: 'Last changed by {name} on {moment}.',
  changedByOperator: 'Last changed by the operator on {moment}.',
  deleteThis: 'Delete this flight',
  delete: 'Delete flight',
  deletedFromLog: 'This flight will be deleted from the log.',
  deletedFromBoth: 'This flight will be deleted from the logs of both passengers.',
  deletedFromAll: plural({ other: 'This flight will be deleted from the logs of all {count} passengers.' }),
  withNote: 'Its note will be deleted too.',
  withTrack: 'Its track will be deleted too.',
  withNoteAndTrack: 'Its note and its track will be deleted too.',
  final: 'This cannot be undone.',
  restorable: plural({ one: 'You can restore it for one day.', other: 'You can restore it for {count} days.' }),
} as const
