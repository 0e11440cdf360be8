import type { travelDocuments as source } from '../en/travel-documents.ts'
import { plural, type Translation } from '../message.ts'

/** Boarding passes, wallet passes, confirmation e-mails and calendar files. */
export const travelDocuments: Translation<typeof source> = {
  way: 'Cartão de embarque ou e-mail',
  wayHint:
    'Leia um cartão de embarque ou escolha uma foto, um passe da carteira digital, um e-mail de confirmação ou um arquivo de calendário.',
  scan: 'Ler com a câmera',
  file: 'Foto ou arquivo',
  pasteText: 'Colar texto',
  text: 'Texto do código de barras de um cartão de embarque, de um e-mail ou de um calendário',
  read: 'Ler voos',

  title: 'Adicionar voos de um documento',
  photoNeedsScript:
    'As fotos são lidas no seu navegador, o que requer JavaScript. Escolha outro tipo de arquivo ou preencha o voo à mão.',
  noFlight:
    'Nenhum voo encontrado. Um e-mail precisa conter dados de voo estruturados, um arquivo de calendário ou um passe da carteira digital. Escolha outro arquivo, ou preencha o voo à mão.',
  nothingGiven: 'Escolha um arquivo ou cole um texto.',
  enterManually: 'Preencher o voo à mão',

  found: plural({ one: '{count} voo encontrado', other: '{count} voos encontrados' }),
  foundHint: 'Nada foi salvo ainda. Confira os voos e depois salve.',
  kinds: {
    boarding_pass: 'Cartão de embarque',
    wallet_pass: 'Passe da carteira digital',
    reservation: 'Reserva',
    event: 'Evento do calendário',
  },
  unknownRoute: 'Rota desconhecida',
  unknownAirport: 'Aeroporto desconhecido',
  route: '{from} – {to}',
  times: '{departure} – {arrival}',
  departs: 'Partida {time}',
  arrives: 'Chegada {time}',
  seat: 'Assento {seat}',
  terminal: 'Terminal {terminal}',
  gate: 'Portão {gate}',
  booking: 'Reserva {reference}',
  duplicate: 'Já está no seu diário. <link>Ver voo</link>',
  select: 'Salvar o voo {from} – {to}',
  selectUnknown: 'Salvar este voo',

  saveOne: 'Salvar voo',
  saveAll: 'Salvar todos',
  saveSelected: 'Salvar selecionados',
  selectOne: 'Selecione pelo menos um voo.',
  saved: plural({ one: '{count} voo foi adicionado.', other: '{count} voos foram adicionados.' }),
  someSaved: plural({
    one: '{count} voo foi adicionado. Corrija os demais e salve de novo.',
    other: '{count} voos foram adicionados. Corrija os demais e salve de novo.',
  }),
  expired: 'Esta página não pode mais ser salva. Leia o documento de novo.',
}
