import type { signIn as source } from '../en/sign-in.ts'
import type { Translation } from '../message.ts'

export const signIn: Translation<typeof source> = {
  title: 'Iniciar sesión',
  refused: 'Nombre de usuario o contraseña incorrectos.',
  sessionEnded: 'Tu sesión ha caducado. Inicia sesión para continuar.',
  sessionEndedWithDraft: 'Tu sesión ha caducado. Inicia sesión para continuar con tu formulario.',
  withProvider: 'Iniciar sesión con {provider}',
  orWithPassword: 'o con tu contraseña:',
  withPasskey: 'Usar una llave de acceso',
  username: 'Nombre de usuario',
  password: 'Contraseña',
  submit: 'Iniciar sesión',
  setup: {
    title: 'Te damos la bienvenida',
    heading: 'Te damos la bienvenida a Paxlog',
    introduction: 'Esta instancia es nueva. Crea la cuenta de su propietario. Después podrás añadir otros usuarios.',
    code: 'Código de instalación',
    codeHint:
      'Aparece en el registro del servidor al arrancar, o es el valor de SETUP_CODE si el operador lo ha definido.',
    wrongCode: 'Código de instalación incorrecto. Búscalo en el registro del servidor o usa el valor de SETUP_CODE.',
    username: 'Nombre de usuario',
    usernameHint: 'De 3 a 20 letras, números, puntos, guiones o guiones bajos. Lo usarás para iniciar sesión.',
    displayName: 'Tu nombre',
    displayNameHint: 'Lo ven los demás usuarios. Si se deja vacío, se usa tu nombre de usuario.',
    password: 'Contraseña',
    passwordHint: '8 caracteres como mínimo. Unas cuantas palabras seguidas son fáciles de recordar.',
    submit: 'Crear cuenta',
  },
}
