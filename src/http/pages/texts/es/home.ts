import type { home as source } from '../en/home.ts'
import { plural, type Translation } from '../message.ts'

export const home: Translation<typeof source> = {
  title: 'Vuelos',
  titleOfPage: 'Vuelos, página {page}',
  nextFlight: 'Próximo vuelo',
  cities: 'De {from} a {to}',
  noAccess: 'Tu rol no permite ver vuelos. Pide a un administrador que lo cambie.',
  map: 'Mapa',
  yourFlights: 'Tus vuelos',
  mostFlown: 'Lo más frecuente',
  airport: 'Aeropuerto',
  route: 'Ruta',
  airline: 'Aerolínea',
  aircraft: 'Avión',
  times: plural({ one: '{count} vez', other: '{count} veces' }),
  noFlights: 'Aún no hay vuelos. Añade uno y verás crecer tu mapa.',
  addFlight: 'Añadir un vuelo',
  addFirst: 'Añadir tu primer vuelo',
  importHint: '¿Vienes de otro servicio? <link>Importa un archivo</link>.',
  import: 'Importar',
  useApiHint: 'Los programas pueden añadir vuelos con <link>tu propia clave de API</link>.',
}
