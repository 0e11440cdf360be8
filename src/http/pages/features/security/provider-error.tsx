import { MessagePage } from '../../framework/message.tsx'

interface Props {
  basePath: string
  reason: string
  back: { href: string; text: string }
}

/** Everything that can go wrong between Paxlog and the identity provider ends here. */
export function ProviderFaultPage({ basePath, reason, back }: Props) {
  return (
    <MessagePage basePath={basePath} title="Not signed in" heading="That did not work" way={back}>
      <p>{reason}</p>
    </MessagePage>
  )
}
