import type { frame as source } from '../en/frame.ts'
import type { Translation } from '../message.ts'

/** Around every page. */
export const frame: Translation<typeof source> = {
  title: '{title} – Paxlog',
  titleWithErrors: 'Erro: {title}',
  skipToContent: 'Ir para o conteúdo',
  undo: 'Desfazer',
  startPage: 'Ir para a página inicial',
  appName: 'Paxlog – diário de voos',
}
