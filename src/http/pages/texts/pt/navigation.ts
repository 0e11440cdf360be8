import type { navigation as source } from '../en/navigation.ts'
import type { Translation } from '../message.ts'

export const navigation: Translation<typeof source> = {
  groups: { main: 'Principal', settings: 'Configurações', administration: 'Administração', menu: 'Conta' },
  places: {
    home: 'Voos',
    map: 'Mapa',
    trips: 'Viagens',
    statistics: 'Estatísticas',
    countries: 'Países',
    preferences: 'Preferências',
    shares: 'Compartilhamentos',
    calendar: 'Calendário',
    deletedFlights: 'Apagados recentemente',
    security: 'Segurança',
    ownActivity: 'Atividade',
    users: 'Usuários',
    roles: 'Funções',
    customFields: 'Campos personalizados',
    reference: 'Dados de referência',
    activity: 'Atividade',
    docs: 'API',
  },
  addFlight: 'Adicionar voo',
  accountOf: '<unseen>Conta de </unseen><shown>{name}</shown>',
  signedInAs: 'Você entrou como <name>{username}</name>',
  shortcuts: 'Atalhos de teclado',
  signOut: 'Sair',
}
