import type { oauth as source } from '../en/oauth.ts'
import { plural, type Translation } from '../message.ts'

export const oauth: Translation<typeof source> = {
  title: 'Conectar {client}',
  heading: '¿Conectar <name>{client}</name>?',
  introduction:
    'Una aplicación que se hace llamar <name>{client}</name> quiere acceder a tu registro de vuelos. El nombre está <strong>sin verificar</strong>: cualquiera puede elegirlo.',
  introductionWithHost:
    'Una aplicación que se hace llamar <name>{client}</name> quiere acceder a tu registro de vuelos. <strong>Solo está verificado su host.</strong> Cualquiera puede elegir el nombre y el sitio web.',
  verifiedHost: 'Host (verificado)',
  website: 'Sitio web (sin verificar)',
  redirectsTo: 'Redirige a',
  uses: 'Usa',
  signedInAs: 'Tu cuenta',
  loopback: 'Redirige a un programa de tu propio equipo. Continúa solo si lo has iniciado tú.',
  loopbackWithHost:
    'Redirige a un programa de tu propio equipo. Cualquier programa del equipo puede hacerse pasar por esta aplicación. Continúa solo si lo has iniciado tú.',
  plainHttp: 'Esta instancia usa HTTP sin cifrar, así que la conexión no está protegida.',
  permissions: 'Permisos',
  choose: 'Desmarca lo que no quieras permitir.',
  revokes: 'Los permisos que concediste antes y que ahora no selecciones se revocan al autorizar.',
  notGrantable: 'También ha pedido permisos que tu rol no puede conceder: {scopes}.',
  grantedBefore: 'ya concedido',
  grantMore: 'Conceder más de lo solicitado',
  approve: 'Autorizar',
  deny: 'Rechazar',
  switchUser: '¿No eres {name}? Usar otra cuenta',
  failed: 'No conectada',
  failedHeading: 'La aplicación no se ha conectado',
  returnTo: 'Volver a {host}',
  tooManyRequests: plural({
    one: 'Demasiadas solicitudes. Vuelve a intentarlo en {count} segundo.',
    other: 'Demasiadas solicitudes. Vuelve a intentarlo en {count} segundos.',
  }),
}
