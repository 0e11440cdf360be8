import { Layout } from './layout.tsx'

interface Props {
  basePath: string
  reason: string
  back: { href: string; text: string }
}

/** Everything that can go wrong between Paxlog and the identity provider ends here. */
export function ProviderFaultPage({ basePath, reason, back }: Props) {
  return (
    <Layout title="Not signed in – Paxlog" basePath={basePath} narrow>
      <div class="card message">
        <h1>That did not work</h1>
        <p>{reason}</p>
        <p class="actions">
          <a class="button" href={back.href}>
            {back.text}
          </a>
        </p>
      </div>
    </Layout>
  )
}
