import type { errors as source } from '../en/errors.ts'
import { plural, type Translation } from '../message.ts'

/** Pages of errors. */
export const errors: Translation<typeof source> = {
  titles: {
    400: 'Requisição inválida',
    403: 'Sem permissão',
    404: 'Página não encontrada',
    405: 'Método não permitido',
    409: 'Conflito',
    413: 'Grande demais',
    415: 'Conteúdo não aceito',
    422: 'Confira os dados',
    429: 'Tentativas demais',
    500: 'Algo deu errado',
    503: 'Servidor ocupado',
  },
  tooManyAttempts: plural({
    one: 'Tentativas demais. Tente de novo em {count} segundo.',
    other: 'Tentativas demais. Tente de novo em {count} segundos.',
  }),
  busySignIn: 'Muitas pessoas estão entrando agora. Tente de novo em alguns segundos.',
  notFound: 'Confira o endereço. Talvez a página tenha sido apagada.',
  formTooLarge: 'O limite é de 64 KiB para um formulário e 2 MiB para um voo.',
  fileTooLarge: 'O arquivo é maior que o limite desta instância: {mebibytes} MiB.',
  tooMuchAroundFile: 'O formulário tem dados demais além do arquivo.',
  uploadInterrupted: 'O envio foi interrompido. Envie o formulário de novo.',
  repeatedField: 'O campo {name} foi enviado mais de uma vez.',
  sentTwice: 'Este formulário foi enviado duas vezes, e o voo criado já foi apagado. Envie de novo.',
  onlyForms: 'As páginas só aceitam seus próprios formulários.',
  onlyJson: 'Envie a requisição como application/json.',
  sessionEnded: 'Sua sessão terminou. Entre de novo.',
  badRequest: 'Volte e tente de novo.',
  failed: 'A requisição falhou. O log do servidor mostra a causa.',
  wrongMethod: 'Esta página não aceita {method}. Permitidos: {allowed}.',
  formRefused: 'O formulário não foi aceito',
  otherSite: 'O formulário foi enviado de outro site. Nada foi alterado.',
  outOfDate: 'O formulário está desatualizado ou é de outro navegador. Nada foi alterado.',
  sendAgain: 'Volte, recarregue a página e envie o formulário de novo. Se não resolver, compare estes endereços:',
  configuredAddress: 'Esta instância está configurada para',
  usedAddress: 'Seu navegador usou',
  noHost: 'um endereço sem host',
  addressesMustMatch:
    'Eles precisam ser iguais: abra o primeiro endereço ou defina <setting>BASE_URL</setting> com o endereço que você usa. O navegador também precisa aceitar cookies.',
}
