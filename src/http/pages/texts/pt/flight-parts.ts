import type { flightParts as source } from '../en/flight-parts.ts'
import { plural, type Translation } from '../message.ts'

export const flightParts: Translation<typeof source> = {
  addedBy: 'Adicionado por {name} em {moment}.',
  addedByOperator: 'Adicionado pelo operador em {moment}.',
  changedBy: 'Última alteração por {name} em {moment}.',
  changedByOperator: 'Última alteração pelo operador em {moment}.',
  deleteThis: 'Apagar este voo',
  delete: 'Apagar voo',
  deletedFromLog: 'Este voo será apagado do diário.',
  deletedFromBoth: 'Este voo será apagado dos diários dos dois passageiros.',
  deletedFromAll: plural({ other: 'Este voo será apagado dos diários de todos os {count} passageiros.' }),
  withNote: 'A nota também será apagada.',
  withTrack: 'O trajeto também será apagado.',
  withNoteAndTrack: 'A nota e o trajeto também serão apagados.',
  final: 'Não é possível desfazer.',
  restorable: plural({
    one: 'Você pode restaurá-lo por {count} dia.',
    other: 'Você pode restaurá-lo por {count} dias.',
  }),
}
