import type { Connection } from '../../../../domain/oauth/service.ts'
import { DangerForm } from '../../components/forms.tsx'
import type { Viewer } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import { ScopeList, Used } from './keys.tsx'

interface Props {
  basePath: string
  viewer: Viewer
  connections: readonly Connection[]
  formats: Formats
}

export function ConnectionList({ basePath, viewer, connections, formats }: Props) {
  if (connections.length === 0) return <p>No application is connected to your account.</p>
  return (
    <ul class="cards">
      {connections.map(({ id, name, redirectHost, resource, scopes, approvedAt, lastUsedAt }) => (
        <li key={id} class="card">
          <h3>{name}</h3>
          <p class="quiet">
            Returns to <strong>{redirectHost}</strong>, uses <code>{resource}</code>
            <br />
            Approved <time dateTime={approvedAt}>{formats.moment(approvedAt)}</time>,{' '}
            <Used at={lastUsedAt} formats={formats} />
          </p>
          <div class="folds">
            <ScopeList scopes={scopes} />
            <DangerForm
              action={`${basePath}/settings/security/apps/${id}/revoke`}
              csrf={viewer.csrf}
              summary={
                <>
                  Disconnect<span class="unseen"> {name}</span>
                </>
              }
              button="Disconnect this application"
            >
              <p>The application loses its access at once. It can ask for it again.</p>
            </DangerForm>
          </div>
        </li>
      ))}
    </ul>
  )
}
