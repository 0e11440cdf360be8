import type { oauth as source } from '../en/oauth.ts'
import { plural, type Translation } from '../message.ts'

export const oauth: Translation<typeof source> = {
  title: '{client}との連携',
  heading: '<name>{client}</name>と連携しますか？',
  introduction:
    '<name>{client}</name>と名乗るアプリが、フライトログへのアクセスを求めています。この名前は<strong>確認されていません</strong>。名前は誰でも自由に付けられます。',
  introductionWithHost:
    '<name>{client}</name>と名乗るアプリが、フライトログへのアクセスを求めています。<strong>確認済みなのはホストだけです。</strong>名前とウェブサイトは誰でも自由に付けられます。',
  verifiedHost: 'ホスト（確認済み）',
  website: 'ウェブサイト（未確認）',
  redirectsTo: 'リダイレクト先',
  uses: 'アクセス先',
  signedInAs: 'ログイン中のユーザー',
  loopback: '自分のコンピューター上のプログラムにリダイレクトします。自分で起動した場合だけ続行してください。',
  loopbackWithHost:
    '自分のコンピューター上のプログラムにリダイレクトします。コンピューター上のどのプログラムも、このアプリを名乗ることができます。自分で起動した場合だけ続行してください。',
  plainHttp: 'このサーバーはHTTPを使用しているため、通信は暗号化されません。',
  permissions: '権限',
  choose: '許可しない権限のチェックを外してください。',
  revokes: '以前に許可した権限のうち、ここで選択しないものは、「許可」を押すと取り消されます。',
  notGrantable: '自分のロールでは許可できない権限も求められています：{scopes}。',
  grantedBefore: '以前に許可済み',
  grantMore: '求められていない権限も許可',
  approve: '許可',
  deny: '拒否',
  switchUser: '{name}さんではない場合は、別のユーザーでログイン',
  failed: '連携できませんでした',
  failedHeading: 'アプリと連携できませんでした',
  returnTo: '{host}に戻る',
  tooManyRequests: plural({ other: 'リクエストが多すぎます。{count}秒後にもう一度お試しください。' }),
}
