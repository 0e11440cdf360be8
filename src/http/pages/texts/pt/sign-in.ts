import type { signIn as source } from '../en/sign-in.ts'
import type { Translation } from '../message.ts'

export const signIn: Translation<typeof source> = {
  title: 'Entrar',
  refused: 'Nome de usuário ou senha incorretos.',
  sessionEnded: 'Sua sessão terminou. Entre para continuar.',
  sessionEndedWithDraft: 'Sua sessão terminou. Entre para continuar seu formulário.',
  withProvider: 'Entrar com {provider}',
  orWithPassword: 'ou com sua senha:',
  withPasskey: 'Entrar com uma chave de acesso',
  username: 'Nome de usuário',
  password: 'Senha',
  submit: 'Entrar',
  setup: {
    title: 'Boas-vindas',
    heading: 'Boas-vindas ao Paxlog',
    introduction: 'Esta instância é nova. Crie a conta do proprietário. Você pode adicionar outros usuários depois.',
    code: 'Código de configuração',
    codeHint: 'Está no log de inicialização do servidor ou é o valor de SETUP_CODE, se o operador o definiu.',
    wrongCode: 'Código de configuração incorreto. Procure-o no log do servidor ou use o valor de SETUP_CODE.',
    username: 'Nome de usuário',
    usernameHint: 'De 3 a 20 letras, números, pontos, sublinhados (_) ou hifens. Você entra com ele.',
    displayName: 'Seu nome',
    displayNameHint: 'Visível para outros usuários. Se ficar vazio, vale o nome de usuário.',
    password: 'Senha',
    passwordHint: 'No mínimo 8 caracteres. Algumas palavras seguidas são fáceis de lembrar.',
    submit: 'Criar conta',
  },
}
