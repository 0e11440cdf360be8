import type { errors as source } from '../en/errors.ts'
import { plural, type Translation } from '../message.ts'

export const errors: Translation<typeof source> = {
  titles: {
    400: 'Solicitud incorrecta',
    403: 'No permitido',
    404: 'Página no encontrada',
    405: 'Método no permitido',
    409: 'Conflicto',
    413: 'Demasiado grande',
    415: 'Contenido no admitido',
    422: 'Revisa los datos',
    429: 'Demasiados intentos',
    500: 'Algo ha fallado',
    503: 'El servidor está saturado',
  },
  tooManyAttempts: plural({
    one: 'Demasiados intentos. Vuelve a intentarlo en un segundo.',
    other: 'Demasiados intentos. Vuelve a intentarlo en {count} segundos.',
  }),
  busySignIn: 'Demasiadas personas están iniciando sesión. Vuelve a intentarlo en unos segundos.',
  notFound: 'Comprueba la dirección. Es posible que la página se haya eliminado.',
  formTooLarge: 'El límite es de 64 KiB por formulario y de 2 MiB por vuelo.',
  fileTooLarge: 'El archivo supera el límite de esta instancia: {mebibytes} MiB.',
  tooMuchAroundFile: 'El formulario contiene demasiados datos además del archivo.',
  uploadInterrupted: 'La subida se ha interrumpido. Envía el formulario de nuevo.',
  repeatedField: 'El campo {name} se ha enviado más de una vez.',
  sentTwice: 'Este formulario se envió dos veces y su vuelo ya se ha eliminado. Envíalo de nuevo.',
  onlyForms: 'Las páginas solo aceptan sus propios formularios.',
  onlyJson: 'Envía la solicitud como application/json.',
  sessionEnded: 'Tu sesión ha caducado. Inicia sesión de nuevo.',
  badRequest: 'Vuelve atrás e inténtalo de nuevo.',
  failed: 'La solicitud ha fallado. La causa está en el registro del servidor.',
  wrongMethod: 'Esta página no admite {method}. Permitido: {allowed}.',
  formRefused: 'El formulario no se ha aceptado',
  otherSite: 'El formulario se envió desde otro sitio. No se ha cambiado nada.',
  outOfDate: 'El formulario ha caducado o procede de otro navegador. No se ha cambiado nada.',
  sendAgain:
    'Vuelve atrás, recarga la página y envía el formulario de nuevo. Si no funciona, compara estas direcciones:',
  configuredAddress: 'Esta instancia está configurada para',
  usedAddress: 'Tu navegador ha usado',
  noHost: 'una dirección sin host',
  addressesMustMatch:
    'Deben coincidir: abre la primera dirección o define <setting>BASE_URL</setting> con la que usas. Además, el navegador debe aceptar cookies.',
}
