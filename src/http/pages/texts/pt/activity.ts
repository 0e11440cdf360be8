import type { activity as source } from '../en/activity.ts'
import type { Translation } from '../message.ts'

export const activity: Translation<typeof source> = {
  title: 'Atividade',
  hint: 'Quem fez o quê, do mais recente ao mais antigo. Os registros são mantidos por 400 dias.',
  person: 'Nome de usuário',
  kind: 'Tipo',
  allKinds: 'Todos',
  apply: 'Aplicar',
  unknownUser: 'Não existe o usuário “{person}”.',
  noMatch: 'Nenhum registro encontrado.',
  ownHint:
    'Seus logins, chaves e aplicativos e todas as alterações nos seus voos, do mais recente ao mais antigo. Os registros são mantidos por 400 dias.',
  noEntries: 'Nenhum registro ainda.',
  what: 'O quê',
  when: 'Quando',
  how: 'Como',
  surfaces: { v1: 'API', legacy: 'API legada', mcp: 'MCP', page: 'Navegador', cli: 'Linha de comando' },
  moreEntries: 'Mais registros',
  newest: 'Registros mais recentes',
  older: 'Registros mais antigos',
}
