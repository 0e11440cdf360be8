import type { errors as source } from '../en/errors.ts'
import { plural, type Translation } from '../message.ts'

/** Pages of errors. */
export const errors: Translation<typeof source> = {
  titles: {
    400: 'Requête incorrecte',
    403: 'Accès refusé',
    404: 'Page introuvable',
    405: 'Méthode non autorisée',
    409: 'Conflit',
    413: 'Trop volumineux',
    415: 'Contenu non pris en charge',
    422: 'Vérifiez votre saisie',
    429: 'Trop de tentatives',
    500: 'Une erreur s’est produite',
    503: 'Serveur surchargé',
  },
  tooManyAttempts: plural({
    one: 'Trop de tentatives. Réessayez dans {count} seconde.',
    other: 'Trop de tentatives. Réessayez dans {count} secondes.',
  }),
  busySignIn: 'Trop de personnes se connectent en ce moment. Réessayez dans quelques secondes.',
  notFound: 'Vérifiez l’adresse. La page a peut-être été supprimée.',
  formTooLarge: 'La limite est de 64\u00a0KiB pour un formulaire et de 2\u00a0MiB pour un vol.',
  fileTooLarge: 'Le fichier dépasse la limite de cette instance\u00a0: {mebibytes}\u00a0MiB.',
  tooMuchAroundFile: 'Le formulaire contient trop de données en plus de son fichier.',
  uploadInterrupted: 'L’envoi a été interrompu. Renvoyez le formulaire.',
  repeatedField: 'Le champ {name} a été envoyé plusieurs fois.',
  sentTwice: 'Ce formulaire a été envoyé deux fois, et son vol a été supprimé. Envoyez à nouveau le formulaire.',
  onlyForms: 'Les pages n’acceptent que leurs propres formulaires.',
  onlyJson: 'Envoyez la requête au format application/json.',
  sessionEnded: 'Votre session a expiré. Reconnectez-vous.',
  badRequest: 'Revenez en arrière et réessayez.',
  failed: 'La requête a échoué. La cause figure dans le journal du serveur.',
  wrongMethod: 'Cette page n’accepte pas {method}. Méthodes autorisées\u00a0: {allowed}.',
  formRefused: 'Le formulaire n’a pas été accepté',
  otherSite: 'Le formulaire a été envoyé depuis un autre site. Rien n’a été modifié.',
  outOfDate: 'Le formulaire est périmé ou vient d’un autre navigateur. Rien n’a été modifié.',
  sendAgain:
    'Revenez en arrière, rechargez la page et renvoyez le formulaire. Si cela ne suffit pas, comparez ces adresses\u00a0:',
  configuredAddress: 'Adresse configurée',
  usedAddress: 'Adresse utilisée',
  noHost: 'une adresse sans hôte',
  addressesMustMatch:
    'Elles doivent être identiques\u00a0: ouvrez la première adresse, ou attribuez à <setting>BASE_URL</setting> l’adresse que vous utilisez. Le navigateur doit aussi accepter les cookies.',
}
