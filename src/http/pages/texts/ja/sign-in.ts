import type { signIn as source } from '../en/sign-in.ts'
import type { Translation } from '../message.ts'

export const signIn: Translation<typeof source> = {
  title: 'ログイン',
  refused: 'ユーザー名またはパスワードが正しくありません。',
  sessionEnded: 'セッションが終了しました。続けるにはログインしてください。',
  sessionEndedWithDraft: 'セッションが終了しました。ログインすると、フォームの入力を続けられます。',
  withProvider: '{provider}でログイン',
  orWithPassword: 'または、パスワードでログイン：',
  withPasskey: 'パスキーでログイン',
  username: 'ユーザー名',
  password: 'パスワード',
  submit: 'ログイン',
  setup: {
    title: 'ようこそ',
    heading: 'Paxlogへようこそ',
    introduction:
      'このサーバーはまだ初期設定されていません。まずオーナーのアカウントを作成してください。ほかのユーザーはあとで追加できます。',
    code: 'セットアップコード',
    codeHint: '起動時にサーバーのログに出力されます。運用者がSETUP_CODEを設定した場合は、その値です。',
    wrongCode: 'セットアップコードが正しくありません。サーバーのログを確認するか、SETUP_CODEの値を入力してください。',
    username: 'ユーザー名',
    usernameHint: '3～20文字の半角英数字、ピリオド、アンダースコア、ハイフン。ログインに使います。',
    displayName: '自分の名前',
    displayNameHint: 'ほかのユーザーに表示されます。省略するとユーザー名が使われます。',
    password: 'パスワード',
    passwordHint: '8文字以上。いくつかの単語をつなげると覚えやすくなります。',
    submit: 'アカウントを作成',
  },
}
