import type { signIn as source } from '../en/sign-in.ts'
import type { Translation } from '../message.ts'

export const signIn: Translation<typeof source> = {
  title: 'Connexion',
  refused: 'Nom d’utilisateur ou mot de passe incorrect.',
  sessionEnded: 'Votre session a expiré. Connectez-vous pour continuer.',
  sessionEndedWithDraft: 'Votre session a expiré. Connectez-vous pour reprendre votre formulaire.',
  withProvider: 'Se connecter avec {provider}',
  orWithPassword: 'ou avec votre mot de passe\u00a0:',
  withPasskey: 'Utiliser une clé d’accès',
  username: 'Nom d’utilisateur',
  password: 'Mot de passe',
  submit: 'Se connecter',
  setup: {
    title: 'Bienvenue',
    heading: 'Bienvenue dans Paxlog',
    introduction:
      'Cette instance est nouvelle. Créez le compte de son propriétaire. Vous pourrez ajouter d’autres utilisateurs plus tard.',
    code: 'Code d’installation',
    codeHint:
      'Écrit dans le journal du serveur au démarrage, ou valeur de SETUP_CODE si l’administrateur du serveur l’a définie.',
    wrongCode:
      'Code d’installation incorrect. Cherchez-le dans le journal du serveur, ou utilisez la valeur de SETUP_CODE.',
    username: 'Nom d’utilisateur',
    usernameHint:
      'De 3 à 20 caractères\u00a0: lettres, chiffres, points, tirets ou tirets bas. Il sert à vous connecter.',
    displayName: 'Votre nom',
    displayNameHint: 'Affiché aux autres utilisateurs. Par défaut, votre nom d’utilisateur.',
    password: 'Mot de passe',
    passwordHint: 'Au moins 8 caractères. Une suite de quelques mots est facile à retenir.',
    submit: 'Créer le compte',
  },
}
