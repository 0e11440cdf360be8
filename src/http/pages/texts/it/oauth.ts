import type { oauth as source } from '../en/oauth.ts'
import { plural, type Translation } from '../message.ts'

export const oauth: Translation<typeof source> = {
  title: 'Collega {client}',
  heading: 'Collegare <name>{client}</name>?',
  introduction:
    "Un'applicazione che si presenta come <name>{client}</name> vuole accedere al tuo diario di volo. Il nome <strong>non è verificato</strong>: chiunque può sceglierlo.",
  introductionWithHost:
    "Un'applicazione che si presenta come <name>{client}</name> vuole accedere al tuo diario di volo. <strong>Solo il suo host è verificato.</strong> Chiunque può scegliere il nome e il sito web.",
  verifiedHost: 'Host (verificato)',
  website: 'Sito web (non verificato)',
  redirectsTo: 'Reindirizza a',
  uses: 'Usa',
  signedInAs: 'Accesso effettuato come',
  loopback: 'Il reindirizzamento porta a un programma sul tuo computer. Continua solo se lo hai avviato tu.',
  loopbackWithHost:
    'Il reindirizzamento porta a un programma sul tuo computer. Qualsiasi programma sul tuo computer può spacciarsi per questa applicazione. Continua solo se lo hai avviato tu.',
  plainHttp: 'Questa istanza usa HTTP senza crittografia: la connessione non è protetta.',
  permissions: 'Permessi',
  choose: 'Deseleziona ciò che non vuoi consentire.',
  revokes: 'I permessi che hai già concesso e che ora non selezioni vengono revocati quando autorizzi.',
  notGrantable: 'Ha chiesto anche permessi che il tuo ruolo non può concedere: {scopes}.',
  grantedBefore: 'già concesso',
  grantMore: 'Concedi più di quanto ha chiesto',
  approve: 'Autorizza',
  deny: 'Rifiuta',
  switchUser: 'Non sei {name}? Accedi con un altro account',
  failed: 'Collegamento non riuscito',
  failedHeading: "L'applicazione non è stata collegata",
  returnTo: 'Torna a {host}',
  tooManyRequests: plural({
    one: 'Troppe richieste. Riprova tra {count} secondo.',
    other: 'Troppe richieste. Riprova tra {count} secondi.',
  }),
}
