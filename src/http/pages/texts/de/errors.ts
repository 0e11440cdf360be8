import type { errors as source } from '../en/errors.ts'
import { plural, type Translation } from '../message.ts'

/** Pages of errors. */
export const errors: Translation<typeof source> = {
  titles: {
    400: 'Ungültige Anfrage',
    403: 'Nicht erlaubt',
    404: 'Seite nicht gefunden',
    405: 'Methode nicht erlaubt',
    409: 'Konflikt',
    413: 'Zu groß',
    415: 'Inhalt nicht unterstützt',
    422: 'Eingaben prüfen',
    429: 'Zu viele Versuche',
    500: 'Etwas ist schiefgelaufen',
    503: 'Gerade überlastet',
  },
  tooManyAttempts: plural({
    one: 'Zu viele Versuche. Versuchen Sie es in einer Sekunde erneut.',
    other: 'Zu viele Versuche. Versuchen Sie es in {count} Sekunden erneut.',
  }),
  busySignIn: 'Zu viele Anmeldungen gleichzeitig. Versuchen Sie es in einigen Sekunden erneut.',
  notFound: 'Prüfen Sie die Adresse. Vielleicht wurde die Seite gelöscht.',
  formTooLarge: 'Erlaubt sind 64\u00a0KiB für ein Formular und 2\u00a0MiB für einen Flug.',
  fileTooLarge: 'Die Datei überschreitet das Limit dieser Instanz: {mebibytes}\u00a0MiB.',
  tooMuchAroundFile: 'Das Formular enthält außer der Datei zu viele Daten.',
  uploadInterrupted: 'Der Upload wurde unterbrochen. Senden Sie das Formular erneut.',
  repeatedField: 'Das Feld {name} wurde mehrfach gesendet.',
  sentTwice: 'Dieses Formular wurde zweimal gesendet, und sein Flug wurde gelöscht. Senden Sie es erneut.',
  onlyForms: 'Seiten nehmen nur ihre eigenen Formulare an.',
  onlyJson: 'Senden Sie die Anfrage als application/json.',
  sessionEnded: 'Ihre Sitzung ist abgelaufen. Melden Sie sich erneut an.',
  badRequest: 'Gehen Sie zurück und versuchen Sie es erneut.',
  failed: 'Die Anfrage ist fehlgeschlagen. Die Ursache steht im Server-Log.',
  wrongMethod: 'Diese Seite unterstützt {method} nicht. Erlaubt: {allowed}.',
  formRefused: 'Das Formular wurde nicht angenommen',
  otherSite: 'Das Formular wurde von einer anderen Website gesendet. Es wurde nichts geändert.',
  outOfDate: 'Das Formular ist veraltet oder stammt aus einem anderen Browser. Es wurde nichts geändert.',
  sendAgain:
    'Gehen Sie zurück, laden Sie die Seite neu und senden Sie das Formular erneut. Falls das nicht hilft, vergleichen Sie diese Adressen:',
  configuredAddress: 'Diese Instanz ist eingerichtet für',
  usedAddress: 'Ihr Browser verwendete',
  noHost: 'eine Adresse ohne Host',
  addressesMustMatch:
    'Beide müssen übereinstimmen: Öffnen Sie die erste Adresse, oder setzen Sie <setting>BASE_URL</setting> auf die Adresse, die Sie verwenden. Außerdem muss der Browser Cookies annehmen.',
}
