import type { oauth as source } from '../en/oauth.ts'
import { plural, type Translation } from '../message.ts'

export const oauth: Translation<typeof source> = {
  title: 'Conectar {client}',
  heading: 'Conectar <name>{client}</name>?',
  introduction:
    'Um aplicativo que se identifica como <name>{client}</name> quer acessar seu diário de voos. O nome <strong>não foi verificado</strong>: qualquer um pode escolhê-lo.',
  introductionWithHost:
    'Um aplicativo que se identifica como <name>{client}</name> quer acessar seu diário de voos. <strong>Só o host foi verificado.</strong> Qualquer um pode escolher o nome e o site.',
  verifiedHost: 'Host (verificado)',
  website: 'Site (não verificado)',
  redirectsTo: 'Redireciona para',
  uses: 'Usa',
  signedInAs: 'Sua conta',
  loopback: 'Isso redireciona para um programa no seu próprio computador. Continue só se foi você que o iniciou.',
  loopbackWithHost:
    'Isso redireciona para um programa no seu próprio computador. Qualquer programa do seu computador pode se passar por este aplicativo. Continue só se foi você que o iniciou.',
  plainHttp: 'Esta instância usa só HTTP, por isso a conexão não é criptografada.',
  permissions: 'Permissões',
  choose: 'Desmarque o que você não quer permitir.',
  revokes: 'Ao autorizar, as permissões já concedidas que você não selecionar agora são revogadas.',
  notGrantable: 'O aplicativo também pediu permissões que sua função não pode conceder: {scopes}.',
  grantedBefore: 'já concedida',
  grantMore: 'Conceder mais do que foi pedido',
  approve: 'Autorizar',
  deny: 'Recusar',
  switchUser: 'Você não é {name}? Entre com outra conta',
  failed: 'Não conectado',
  failedHeading: 'O aplicativo não foi conectado',
  returnTo: 'Voltar para {host}',
  tooManyRequests: plural({
    one: 'Requisições demais; tente de novo em {count} segundo.',
    other: 'Requisições demais; tente de novo em {count} segundos.',
  }),
}
