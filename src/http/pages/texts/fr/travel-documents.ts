import type { travelDocuments as source } from '../en/travel-documents.ts'
import { plural, type Translation } from '../message.ts'

/** Boarding passes, wallet passes, confirmation e-mails and calendar files. */
export const travelDocuments: Translation<typeof source> = {
  way: 'Carte d’embarquement ou e-mail',
  wayHint:
    'Scannez une carte d’embarquement, ou choisissez une photo, un pass Wallet, un e-mail de confirmation ou un fichier de calendrier.',
  scan: 'Scanner avec la caméra',
  file: 'Photo ou fichier',
  pasteText: 'Coller du texte',
  text: 'Texte du code-barres d’une carte d’embarquement, d’un e-mail ou d’un calendrier',
  read: 'Lire les vols',

  title: 'Ajouter des vols depuis un document',
  photoNeedsScript:
    'Les photos sont lues dans votre navigateur, ce qui nécessite JavaScript. Choisissez un autre type de fichier, ou saisissez le vol manuellement.',
  noFlight:
    'Aucun vol trouvé. Un e-mail doit contenir des données de vol structurées, un fichier de calendrier ou un pass Wallet. Choisissez un autre fichier, ou saisissez le vol manuellement.',
  nothingGiven: 'Choisissez un fichier ou collez un texte.',
  enterManually: 'Saisir le vol manuellement',

  found: plural({ one: '{count} vol trouvé', other: '{count} vols trouvés' }),
  foundHint: 'Rien n’est encore enregistré. Vérifiez les vols, puis enregistrez-les.',
  kinds: {
    boarding_pass: 'Carte d’embarquement',
    wallet_pass: 'Pass Wallet',
    reservation: 'Réservation',
    event: 'Événement du calendrier',
  },
  unknownRoute: 'Liaison inconnue',
  unknownAirport: 'Aéroport inconnu',
  route: '{from} – {to}',
  times: '{departure} – {arrival}',
  departs: 'Départ à {time}',
  arrives: 'Arrivée à {time}',
  seat: 'Siège {seat}',
  terminal: 'Terminal {terminal}',
  gate: 'Porte {gate}',
  booking: 'Dossier {reference}',
  duplicate: 'Déjà dans votre carnet. <link>Afficher le vol</link>',
  select: 'Enregistrer le vol {from} – {to}',
  selectUnknown: 'Enregistrer ce vol',

  saveOne: 'Enregistrer le vol',
  saveAll: 'Tout enregistrer',
  saveSelected: 'Enregistrer la sélection',
  selectOne: 'Sélectionnez au moins un vol.',
  saved: plural({ one: '{count} vol a été ajouté.', other: '{count} vols ont été ajoutés.' }),
  someSaved: plural({
    one: '{count} vol a été ajouté. Corrigez les autres et enregistrez à nouveau.',
    other: '{count} vols ont été ajoutés. Corrigez les autres et enregistrez à nouveau.',
  }),
  expired: 'Cette page ne peut plus être enregistrée. Lisez le document à nouveau.',
}
