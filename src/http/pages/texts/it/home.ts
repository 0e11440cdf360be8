import type { home as source } from '../en/home.ts'
import { plural, type Translation } from '../message.ts'

export const home: Translation<typeof source> = {
  title: 'Voli',
  titleOfPage: 'Voli, pagina {page}',
  nextFlight: 'Prossimo volo',
  cities: 'Da {from} a {to}',
  noAccess: 'Il tuo ruolo non permette di leggere i voli. Chiedi a un amministratore di modificarlo.',
  map: 'Mappa',
  yourFlights: 'I tuoi voli',
  mostFlown: 'Più frequenti',
  airport: 'Aeroporto',
  route: 'Rotta',
  airline: 'Compagnia aerea',
  aircraft: 'Aereo',
  times: plural({ one: '{count} volta', other: '{count} volte' }),
  noFlights: 'Ancora nessun volo. Aggiungine uno e guarda crescere la tua mappa.',
  addFlight: 'Aggiungi volo',
  addFirst: 'Aggiungi il tuo primo volo',
  importHint: 'Arrivi da un altro servizio? <link>Importa un file</link>.',
  import: 'Importa',
  useApiHint: 'I programmi possono aggiungere voli con <link>una tua chiave API</link>.',
}
