import type { errors as source } from '../en/errors.ts'
import { plural, type Translation } from '../message.ts'

export const errors: Translation<typeof source> = {
  titles: {
    400: 'Richiesta non valida',
    403: 'Non consentito',
    404: 'Pagina non trovata',
    405: 'Metodo non consentito',
    409: 'Conflitto',
    413: 'Dati troppo grandi',
    415: 'Contenuto non supportato',
    422: 'Controlla i dati inseriti',
    429: 'Troppi tentativi',
    500: 'Qualcosa è andato storto',
    503: 'Server sovraccarico',
  },
  tooManyAttempts: plural({
    one: 'Troppi tentativi. Riprova tra un secondo.',
    other: 'Troppi tentativi. Riprova tra {count} secondi.',
  }),
  busySignIn: "Troppe persone stanno effettuando l'accesso. Riprova tra qualche secondo.",
  notFound: "Controlla l'indirizzo. La pagina potrebbe essere stata eliminata.",
  formTooLarge: 'Il limite è di 64 KiB per un modulo e di 2 MiB per un volo.',
  fileTooLarge: 'Il file supera il limite di questa istanza: {mebibytes} MiB.',
  tooMuchAroundFile: 'Il modulo contiene troppi dati oltre al file.',
  uploadInterrupted: 'Il caricamento è stato interrotto. Invia di nuovo il modulo.',
  repeatedField: 'Il campo {name} è stato inviato più di una volta.',
  sentTwice: 'Questo modulo è stato inviato due volte e il suo volo è stato eliminato. Invialo di nuovo.',
  onlyForms: 'Le pagine accettano solo i propri moduli.',
  onlyJson: 'Invia la richiesta come application/json.',
  sessionEnded: 'La sessione è terminata. Accedi di nuovo.',
  badRequest: 'Torna indietro e riprova.',
  failed: 'La richiesta non è riuscita. La causa è nel log del server.',
  wrongMethod: 'Questa pagina non supporta {method}. Metodi consentiti: {allowed}.',
  formRefused: 'Il modulo non è stato accettato',
  otherSite: 'Il modulo è stato inviato da un altro sito. Non è stato modificato nulla.',
  outOfDate: 'Il modulo è scaduto o proviene da un altro browser. Non è stato modificato nulla.',
  sendAgain:
    'Torna indietro, ricarica la pagina e invia di nuovo il modulo. Se non funziona, confronta questi indirizzi:',
  configuredAddress: 'Indirizzo configurato per questa istanza',
  usedAddress: 'Indirizzo usato dal tuo browser',
  noHost: 'un indirizzo senza host',
  addressesMustMatch:
    "Devono coincidere: apri il primo indirizzo oppure imposta <setting>BASE_URL</setting> sull'indirizzo che usi. Il browser deve inoltre accettare i cookie.",
}
