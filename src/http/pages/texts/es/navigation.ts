import type { navigation as source } from '../en/navigation.ts'
import type { Translation } from '../message.ts'

export const navigation: Translation<typeof source> = {
  groups: { main: 'Principal', settings: 'Configuración', administration: 'Administración', menu: 'Cuenta' },
  places: {
    home: 'Vuelos',
    map: 'Mapa',
    trips: 'Viajes',
    statistics: 'Estadísticas',
    countries: 'Países',
    preferences: 'Preferencias',
    shares: 'Páginas compartidas',
    calendar: 'Calendario',
    deletedFlights: 'Eliminados recientemente',
    security: 'Seguridad',
    ownActivity: 'Actividad',
    users: 'Usuarios',
    roles: 'Roles',
    customFields: 'Campos personalizados',
    reference: 'Datos de referencia',
    activity: 'Actividad',
    docs: 'API',
  },
  addFlight: 'Añadir vuelo',
  accountOf: '<unseen>Cuenta de </unseen><shown>{name}</shown>',
  signedInAs: 'Sesión de <name>{username}</name>',
  shortcuts: 'Atajos de teclado',
  signOut: 'Cerrar sesión',
}
