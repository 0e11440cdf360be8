import type { signIn as source } from '../en/sign-in.ts'
import type { Translation } from '../message.ts'

export const signIn: Translation<typeof source> = {
  title: 'Anmelden',
  refused: 'Benutzername oder Passwort falsch.',
  sessionEnded: 'Ihre Sitzung ist abgelaufen. Melden Sie sich an, um fortzufahren.',
  sessionEndedWithDraft: 'Ihre Sitzung ist abgelaufen. Melden Sie sich an, um mit Ihrem Formular fortzufahren.',
  withProvider: 'Mit {provider} anmelden',
  orWithPassword: 'oder mit Ihrem Passwort:',
  withPasskey: 'Mit Passkey anmelden',
  username: 'Benutzername',
  password: 'Passwort',
  submit: 'Anmelden',
  setup: {
    title: 'Willkommen',
    heading: 'Willkommen bei Paxlog',
    introduction:
      'Diese Instanz ist neu. Erstellen Sie das Konto des Eigentümers. Weitere Benutzer können Sie später hinzufügen.',
    code: 'Einrichtungscode',
    codeHint: 'Steht seit dem Start im Server-Log. Falls der Betreiber SETUP_CODE gesetzt hat, gilt dessen Wert.',
    wrongCode: 'Falscher Einrichtungscode. Suchen Sie ihn im Server-Log, oder verwenden Sie den Wert von SETUP_CODE.',
    username: 'Benutzername',
    usernameHint:
      '3 bis 20 Zeichen: Buchstaben, Ziffern, Punkte, Unterstriche und Bindestriche. Damit melden Sie sich an.',
    displayName: 'Ihr Name',
    displayNameHint: 'Wird anderen Benutzern angezeigt. Ohne Angabe Ihr Benutzername.',
    password: 'Passwort',
    passwordHint: 'Mindestens 8 Zeichen. Mehrere Wörter hintereinander sind leicht zu merken.',
    submit: 'Konto erstellen',
  },
}
