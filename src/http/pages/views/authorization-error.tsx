import { redirectHost } from '../../../domain/oauth/redirect-uri.ts'
import { WayHome } from './error.tsx'
import { Layout } from './layout.tsx'

interface Props {
  basePath: string
  code: string
  reason: string
  /** The application's own address with the error, where that address was checked. */
  link: string | undefined
}

export function AuthorizationErrorPage({ basePath, code, reason, link }: Props) {
  return (
    <Layout title="Not connected – Paxlog" basePath={basePath} narrow>
      <div class="card message">
        <p class="eyebrow">{code}</p>
        <h1>The application was not connected</h1>
        <p>{reason}</p>
        {link ? (
          <p class="actions">
            <a class="button" href={link} rel="noreferrer">
              Tell the application at {redirectHost(link)}
            </a>
          </p>
        ) : (
          <WayHome basePath={basePath} />
        )}
      </div>
    </Layout>
  )
}
