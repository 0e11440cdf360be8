import type { errors as source } from '../en/errors.ts'
import { plural, type Translation } from '../message.ts'

export const errors: Translation<typeof source> = {
  titles: {
    400: '無効なリクエスト',
    403: '許可されていません',
    404: 'ページが見つかりません',
    405: '対応していないメソッド',
    409: '変更が競合しました',
    413: 'データが大きすぎます',
    415: '対応していない形式',
    422: '入力内容を確認してください',
    429: '試行回数が多すぎます',
    500: '問題が発生しました',
    503: '現在混み合っています',
  },
  tooManyAttempts: plural({ other: '試行回数が多すぎます。{count}秒後にもう一度お試しください。' }),
  busySignIn: 'ログインが集中しています。数秒後にもう一度お試しください。',
  notFound: 'アドレスを確認してください。ページが削除された可能性もあります。',
  formTooLarge: '上限は、フォームが64 KiB、フライトが2 MiBです。',
  fileTooLarge: 'ファイルがこのサーバーの上限（{mebibytes} MiB）を超えています。',
  tooMuchAroundFile: 'ファイル以外のフォームのデータが多すぎます。',
  uploadInterrupted: 'アップロードが中断されました。フォームをもう一度送信してください。',
  repeatedField: '項目{name}が2回以上送信されました。',
  sentTwice: 'このフォームは2回送信され、最初に作成されたフライトはすでに削除されています。もう一度送信してください。',
  onlyForms: 'ページが受け付けるのは、そのページ自体のフォームだけです。',
  onlyJson: 'リクエストをapplication/jsonで送信してください。',
  sessionEnded: 'セッションが終了しました。もう一度ログインしてください。',
  badRequest: '前のページに戻って、もう一度お試しください。',
  failed: 'リクエストを処理できませんでした。原因はサーバーのログに記録されています。',
  wrongMethod: 'このページは{method}に対応していません。使用できるメソッド：{allowed}。',
  formRefused: 'フォームを受け付けられませんでした',
  otherSite: 'フォームが別のサイトから送信されました。何も変更されていません。',
  outOfDate: 'フォームが古いか、別のブラウザから送信されました。何も変更されていません。',
  sendAgain:
    '前のページに戻って再読み込みし、フォームをもう一度送信してください。解決しない場合は、次のアドレスを比べてください。',
  configuredAddress: 'このサーバーに設定されたアドレス',
  usedAddress: 'ブラウザが使ったアドレス',
  noHost: 'ホストのないアドレス',
  addressesMustMatch:
    '両方が一致している必要があります。設定されたアドレスを開くか、<setting>BASE_URL</setting>を使用中のアドレスに変更してください。ブラウザでCookieを許可する必要もあります。',
}
