import type { oauth as source } from '../en/oauth.ts'
import { plural, type Translation } from '../message.ts'

export const oauth: Translation<typeof source> = {
  title: '{client} verbinden',
  heading: '<name>{client}</name> verbinden?',
  introduction:
    'Eine Anwendung, die sich <name>{client}</name> nennt, möchte auf Ihr Flugbuch zugreifen. Der Name ist <strong>nicht verifiziert</strong>: Jeder kann ihn frei wählen.',
  introductionWithHost:
    'Eine Anwendung, die sich <name>{client}</name> nennt, möchte auf Ihr Flugbuch zugreifen. <strong>Nur ihr Host ist verifiziert.</strong> Name und Website kann jeder frei wählen.',
  verifiedHost: 'Host (verifiziert)',
  website: 'Website (nicht verifiziert)',
  redirectsTo: 'Leitet weiter an',
  uses: 'Verwendet',
  signedInAs: 'Angemeldet als',
  loopback:
    'Sie werden an ein Programm auf Ihrem eigenen Computer weitergeleitet. Fahren Sie nur fort, wenn Sie es selbst gestartet haben.',
  loopbackWithHost:
    'Sie werden an ein Programm auf Ihrem eigenen Computer weitergeleitet. Jedes Programm auf Ihrem Computer kann sich als diese Anwendung ausgeben. Fahren Sie nur fort, wenn Sie es selbst gestartet haben.',
  plainHttp: 'Diese Instanz verwendet HTTP ohne TLS. Die Verbindung ist daher nicht verschlüsselt.',
  permissions: 'Berechtigungen',
  choose: 'Deaktivieren Sie, was Sie nicht erlauben möchten.',
  revokes: 'Früher erteilte Berechtigungen, die Sie jetzt nicht auswählen, werden beim Zulassen widerrufen.',
  notGrantable: 'Angefordert wurden auch Berechtigungen, die Sie mit Ihrer Rolle nicht erteilen können: {scopes}.',
  grantedBefore: 'früher erteilt',
  grantMore: 'Mehr erlauben als angefordert',
  approve: 'Zulassen',
  deny: 'Ablehnen',
  switchUser: 'Nicht {name}? Als anderer Benutzer anmelden',
  failed: 'Nicht verbunden',
  failedHeading: 'Die Anwendung wurde nicht verbunden',
  returnTo: 'Zurück zu {host}',
  tooManyRequests: plural({
    one: 'Zu viele Anfragen. Versuchen Sie es in {count} Sekunde erneut.',
    other: 'Zu viele Anfragen. Versuchen Sie es in {count} Sekunden erneut.',
  }),
}
