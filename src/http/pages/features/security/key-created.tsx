import type { Scope } from '../../../../access/scopes.ts'
import { CopiedLine } from '../../components/copyable.tsx'
import type { Viewer } from '../../framework/context.ts'
import { Layout } from '../../framework/layout.tsx'
import { ScopeList } from './keys.tsx'

interface Props {
  basePath: string
  baseUrl: string
  viewer: Viewer
  created: { name: string; key: string; scopes: readonly Scope[] }
}

/** The only page that ever shows a key. */
export function KeyCreatedPage({ basePath, baseUrl, viewer, created }: Props) {
  return (
    <Layout title="Your new API key – Paxlog" basePath={basePath} viewer={viewer} place="security" below narrow>
      <div class="card">
        <h1>Your new API key</h1>
        <p>
          Copy the key <strong dir="auto">{created.name}</strong> now. It is shown this once and cannot be read again.
        </p>
        <CopiedLine id="key" text={created.key} />
        <p class="quiet" role="status" id="copied" />
        <p class="quiet">Programs send it in a header, for example:</p>
        <pre>
          <code>{`curl -H "Authorization: Bearer $KEY" ${baseUrl}/api/v1/me`}</code>
        </pre>
        <ScopeList scopes={created.scopes} />
        <p>
          <a class="button primary" href={`${basePath}/settings/security`}>
            I have copied it
          </a>
        </p>
      </div>
    </Layout>
  )
}
