import { ButtonForm } from '../../components/forms.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'

interface Props extends Pick<Frame, 'basePath' | 'viewer' | 'formats'> {
  provider: { name: string }
  link: { createdAt: number; lastUsedAt: number } | undefined
  /** False when nothing else opens the account. */
  mayUnlink: boolean
}

function Moment({ at, formats }: { at: number; formats: Formats }) {
  const instant = new Date(at).toISOString()
  return <time dateTime={instant}>{formats.moment(instant)}</time>
}

/** Which person at the identity provider may sign in to this account. */
export function ProviderLink({ basePath, viewer, formats, provider, link, mayUnlink }: Props) {
  const action = `${basePath}/settings/security/oidc/${link ? 'unlink' : 'link'}`
  const form = (
    <ButtonForm action={action} csrf={viewer.csrf}>
      {link ? `Unlink from ${provider.name}` : `Link to ${provider.name}`}
    </ButtonForm>
  )
  if (!link) {
    return (
      <div class="card">
        <p>Link your account to be able to sign in with {provider.name}, beside your password.</p>
        {form}
      </div>
    )
  }
  return (
    <div class="card">
      <p>
        Linked <Moment at={link.createdAt} formats={formats} />, last used{' '}
        <Moment at={link.lastUsedAt} formats={formats} />.
      </p>
      {mayUnlink ? form : <p class="quiet">This is your only way to sign in, so it cannot be unlinked.</p>}
    </div>
  )
}
