import type { oauth as source } from '../en/oauth.ts'
import { plural, type Translation } from '../message.ts'

export const oauth: Translation<typeof source> = {
  title: 'Connecter {client}',
  heading: 'Connecter <name>{client}</name>\u202f?',
  introduction:
    'Une application qui se présente sous le nom <name>{client}</name> souhaite accéder à votre carnet de vol. Ce nom n’est <strong>pas vérifié</strong>\u00a0: n’importe qui peut le choisir.',
  introductionWithHost:
    'Une application qui se présente sous le nom <name>{client}</name> souhaite accéder à votre carnet de vol. <strong>Seul son hôte est vérifié.</strong> N’importe qui peut choisir le nom et le site web.',
  verifiedHost: 'Hôte (vérifié)',
  website: 'Site web (non vérifié)',
  redirectsTo: 'Redirige vers',
  uses: 'Utilise',
  signedInAs: 'Compte',
  loopback:
    'La redirection mène à un programme sur votre propre ordinateur. Ne continuez que si vous l’avez lancé vous-même.',
  loopbackWithHost:
    'La redirection mène à un programme sur votre propre ordinateur. N’importe quel programme de votre ordinateur peut se faire passer pour cette application. Ne continuez que si vous l’avez lancée vous-même.',
  plainHttp: 'Cette instance utilise HTTP simple\u00a0: la connexion n’est pas chiffrée.',
  permissions: 'Autorisations',
  choose: 'Décochez ce que vous ne voulez pas autoriser.',
  revokes: 'Autoriser révoque les autorisations déjà accordées que vous ne cochez pas ici.',
  notGrantable: 'Elle a aussi demandé des autorisations que votre rôle ne permet pas d’accorder\u00a0: {scopes}.',
  grantedBefore: 'déjà accordée',
  grantMore: 'Accorder plus que demandé',
  approve: 'Autoriser',
  deny: 'Refuser',
  switchUser: 'Vous n’êtes pas {name}\u202f? Changer de compte',
  failed: 'Connexion impossible',
  failedHeading: 'L’application n’a pas été connectée',
  returnTo: 'Revenir à {host}',
  tooManyRequests: plural({
    one: 'Trop de requêtes\u202f; réessayez dans {count} seconde.',
    other: 'Trop de requêtes\u202f; réessayez dans {count} secondes.',
  }),
}
