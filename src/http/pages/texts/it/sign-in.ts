import type { signIn as source } from '../en/sign-in.ts'
import type { Translation } from '../message.ts'

export const signIn: Translation<typeof source> = {
  title: 'Accedi',
  refused: 'Nome utente o password errati.',
  sessionEnded: 'La sessione è terminata. Accedi per continuare.',
  sessionEndedWithDraft: 'La sessione è terminata. Accedi per continuare con il modulo.',
  withProvider: 'Accedi con {provider}',
  orWithPassword: 'o con la tua password:',
  withPasskey: 'Accedi con una passkey',
  username: 'Nome utente',
  password: 'Password',
  submit: 'Accedi',
  setup: {
    title: 'Configurazione iniziale',
    heading: 'Ti diamo il benvenuto in Paxlog',
    introduction: "Questa istanza è nuova. Crea l'account del proprietario. Potrai aggiungere altri utenti in seguito.",
    code: 'Codice di configurazione',
    codeHint: "Si trova nel log del server all'avvio, oppure è il valore di SETUP_CODE se il gestore lo ha impostato.",
    wrongCode: 'Codice di configurazione errato. Cercalo nel log del server o usa il valore di SETUP_CODE.',
    username: 'Nome utente',
    usernameHint: 'Da 3 a 20 lettere, cifre, punti, trattini bassi o trattini. Ti serve per accedere.',
    displayName: 'Il tuo nome',
    displayNameHint: 'Visibile agli altri utenti. Se manca, viene usato il nome utente.',
    password: 'Password',
    passwordHint: 'Almeno 8 caratteri. Qualche parola di seguito è facile da ricordare.',
    submit: 'Crea account',
  },
}
