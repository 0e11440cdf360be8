import type { home as source } from '../en/home.ts'
import { plural, type Translation } from '../message.ts'

export const home: Translation<typeof source> = {
  title: 'Vols',
  titleOfPage: 'Vols, page {page}',
  nextFlight: 'Prochain vol',
  cities: '{from} – {to}',
  noAccess: 'Votre rôle ne permet pas de consulter les vols. Demandez à un administrateur de le modifier.',
  map: 'Carte',
  yourFlights: 'Vos vols',
  mostFlown: 'Le plus souvent',
  airport: 'Aéroport',
  route: 'Liaison',
  airline: 'Compagnie',
  aircraft: 'Avion',
  times: plural({ one: '{count} fois', other: '{count} fois' }),
  noFlights: 'Pas encore de vol. Ajoutez-en un et regardez votre carte se remplir.',
  addFlight: 'Ajouter un vol',
  addFirst: 'Ajouter votre premier vol',
  importHint: 'Vous venez d’un autre service\u202f? <link>Importez un fichier</link>.',
  import: 'Importer',
  useApiHint: 'Des programmes peuvent ajouter des vols avec <link>votre propre clé API</link>.',
}
