import type { settings as source } from '../en/settings.ts'
import { plural, type Translation } from '../message.ts'

export const settings: Translation<typeof source> = {
  deletedFlights: {
    title: 'Vols supprimés',
    introduction: plural({
      one: 'Un vol supprimé peut être restauré pendant {count} jour. Il est ensuite supprimé définitivement.',
      other: 'Un vol supprimé peut être restauré pendant {count} jours. Il est ensuite supprimé définitivement.',
    }),
    notKept: 'Sur cette instance, les vols sont supprimés définitivement et immédiatement.',
    none: 'Aucun vol supprimé.',
    flight: 'Vol',
    deleted: 'Supprimé',
    actions: 'Actions',
    restore: 'Restaurer',
    restored: 'Le vol a été restauré.',
    airportMissing: 'Ce vol ne peut pas être restauré, car l’un de ses aéroports n’existe plus.',
    deletePermanently: 'Supprimer définitivement',
    deletionWarning: 'Ce vol sera supprimé pour tous les passagers. Cette action est irréversible.',
    deletedPermanently: 'Le vol a été supprimé définitivement.',
    newest: 'Les plus récents',
    older: 'Plus anciens',
  },
  calendar: {
    title: 'Calendrier',
    introduction:
      'Abonnez-vous à vos vols dans votre calendrier. Chaque événement contient les horaires, les aéroports, le terminal, la porte, le siège et un lien vers le vol. Votre calendrier se met à jour quand vos vols changent.',
    createdOn: 'Vous avez créé un lien de calendrier le {day}. Il ne peut pas être affiché à nouveau.',
    notes: 'Inclure mes notes',
    save: 'Enregistrer',
    newLink: 'Créer un nouveau lien',
    newLinkWarning:
      'Le lien actuel cessera immédiatement de fonctionner. Abonnez-vous au nouveau dans chaque calendrier.',
    replaceLink: 'Remplacer le lien',
    removal: 'Supprimer le lien',
    removalWarning: 'Les calendriers qui utilisent le lien ne se mettront plus à jour.',
    removeLink: 'Supprimer le lien',
    linkHint:
      'Toute personne disposant du lien peut lire vos vols, et rien d’autre. Vous pouvez le supprimer à tout moment.',
    createLink: 'Créer un lien de calendrier',
    created: 'Votre calendrier',
    copyNow: 'Copiez le lien maintenant. Il n’est affiché qu’une fois.',
    google: 'Google Agenda\u00a0: Autres agendas, À partir de l’URL.',
    apple: 'Calendrier Apple\u00a0: Fichier, Nouvel abonnement à un calendrier.',
    outlook: 'Outlook\u00a0: Ajouter un calendrier, S’abonner à partir du web.',
    copied: 'C’est copié',
    notesIncluded: 'Le calendrier contient désormais vos notes.',
    notesLeftOut: 'Le calendrier ne contient plus vos notes.',
    removed: 'Le lien a été supprimé. Les calendriers qui l’utilisent ne se mettront plus à jour.',
  },
  preferences: {
    title: 'Préférences',
    introduction: 'L’API utilise toujours les kilomètres, les secondes et l’UTC.',
    profile: 'Profil',
    name: 'Nom',
    username: 'Nom d’utilisateur',
    role: 'Rôle',
    owner: 'Propriétaire de cette instance',
    noRole: 'aucun',
    changeName: 'Changer votre nom',
    nameHint: 'Un administrateur peut changer votre nom.',
    groups: {
      pages: { title: 'Sur ces pages', hint: 'La façon dont Paxlog affiche vos vols.' },
      applications: { title: 'Dans les applications', hint: 'Conservées pour les applications connectées.' },
    },
    fields: {
      language: { label: 'Langue', choices: { auto: 'Langue du navigateur' } },
      theme: { label: 'Thème', choices: { auto: 'Système', light: 'Clair', dark: 'Sombre' } },
      distanceUnit: { label: 'Distances', choices: { km: 'Kilomètres', mi: 'Miles', nm: 'Milles marins' } },
      windSpeedUnit: {
        label: 'Vent',
        choices: { kt: 'Nœuds', mph: 'Miles par heure', kmh: 'Kilomètres par heure', ms: 'Mètres par seconde' },
      },
      temperatureUnit: { label: 'Température', choices: { c: 'Celsius', f: 'Fahrenheit' } },
      pressureUnit: {
        label: 'Pression atmosphérique',
        choices: { hpa: 'Hectopascals', inhg: 'Pouces de mercure' },
      },
      timeFormat: {
        label: 'Format de l’heure',
        choices: { auto: 'Comme le navigateur', '12h': '12 heures\u00a0: 2:05 PM', '24h': '24 heures\u00a0: 14:05' },
      },
      dateFormat: {
        label: 'Format de la date',
        choices: { auto: 'En toutes lettres\u00a0: 3 mai 2025', iso: '2025-05-03', us: '05/03/2025', eu: '03.05.2025' },
      },
      weekStartsOn: {
        label: 'Premier jour de la semaine',
        choices: { auto: 'Par défaut\u00a0: lundi', mon: 'Lundi', sun: 'Dimanche' },
      },
      flightTimeDisplay: {
        label: 'Heures des vols',
        choices: { airport: 'Heure locale de l’aéroport', utc: 'UTC', system: 'Fuseau horaire de cet appareil' },
      },
    },
    save: 'Enregistrer',
    saved: 'Vos préférences ont été enregistrées.',
  },
}
