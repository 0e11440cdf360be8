import type { travelDocuments as source } from '../en/travel-documents.ts'
import { plural, type Translation } from '../message.ts'

export const travelDocuments: Translation<typeof source> = {
  way: 'Tarjeta de embarque o correo',
  wayHint:
    'Escanea una tarjeta de embarque o elige una foto, un pase de Wallet, un correo de confirmación o un archivo de calendario.',
  scan: 'Usar la cámara',
  file: 'Foto o archivo',
  pasteText: 'Pegar texto',
  text: 'Texto del código de barras de una tarjeta de embarque, de un correo o de un calendario',
  read: 'Leer vuelos',

  title: 'Añadir vuelos desde un documento',
  photoNeedsScript:
    'Las fotos se leen en tu navegador, lo que requiere JavaScript. Elige otro tipo de archivo o introduce el vuelo a mano.',
  noFlight:
    'No se ha encontrado ningún vuelo. Un correo debe contener datos de vuelo estructurados, un archivo de calendario o un pase de Wallet. Elige otro archivo, o introduce el vuelo a mano.',
  nothingGiven: 'Elige un archivo o pega un texto.',
  enterManually: 'Introducir el vuelo a mano',

  found: plural({ one: '{count} vuelo encontrado', other: '{count} vuelos encontrados' }),
  foundHint: 'Aún no se ha guardado nada. Revisa los vuelos y guárdalos.',
  kinds: {
    boarding_pass: 'Tarjeta de embarque',
    wallet_pass: 'Pase de Wallet',
    reservation: 'Reserva',
    event: 'Evento de calendario',
  },
  unknownRoute: 'Ruta desconocida',
  unknownAirport: 'Aeropuerto desconocido',
  route: 'De {from} a {to}',
  times: '{departure} – {arrival}',
  departs: 'Salida: {time}',
  arrives: 'Llegada: {time}',
  seat: 'Asiento {seat}',
  terminal: 'Terminal {terminal}',
  gate: 'Puerta {gate}',
  booking: 'Reserva {reference}',
  duplicate: 'Ya está en tu registro. <link>Ver vuelo</link>',
  select: 'Guardar el vuelo de {from} a {to}',
  selectUnknown: 'Guardar este vuelo',

  saveOne: 'Guardar vuelo',
  saveAll: 'Guardar todos',
  saveSelected: 'Guardar selección',
  selectOne: 'Selecciona al menos un vuelo.',
  saved: plural({ one: '{count} vuelo añadido.', other: '{count} vuelos añadidos.' }),
  someSaved: plural({
    one: '{count} vuelo añadido. Corrige los demás y guarda de nuevo.',
    other: '{count} vuelos añadidos. Corrige los demás y guarda de nuevo.',
  }),
  expired: 'Esta página ya no se puede guardar. Lee el documento de nuevo.',
}
