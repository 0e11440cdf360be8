import type { offline as source } from '../en/offline.ts'
import type { Translation } from '../message.ts'

export const offline: Translation<typeof source> = {
  storedCopy: 'Estás sin conexión. Puedes leer esta copia guardada, pero no cambiar nada.',
  title: 'Estás sin conexión',
  notStored: 'Esta página no está guardada en este dispositivo. Conéctate a internet para abrirla.',
  home: 'Ver tus vuelos guardados',
  again: 'Reintentar',
  setting: 'Sin conexión en este dispositivo',
  settingHint:
    'Guarda tus totales y tus últimos 50 vuelos en este navegador para leerlos sin conexión. Al cerrar sesión se eliminan y esta opción se desactiva.',
  needs: 'Requiere JavaScript y, salvo en localhost, https.',
}
