import type { SessionService } from '../../../../domain/sessions/service.ts'
import { ButtonForm } from '../../components/forms.tsx'
import type { Frame } from '../../framework/context.ts'

export type SignIns = ReturnType<SessionService['listOf']>

interface Props extends Pick<Frame, 'basePath' | 'viewer' | 'formats'> {
  signIns: SignIns
}

/** The browsers in which the account is open, each with a way to end that. */
export function SessionList({ basePath, viewer, signIns, formats }: Props) {
  const path = `${basePath}/settings/security/sessions`
  const others = signIns.filter(({ isCurrent }) => !isCurrent)
  return (
    <>
      <ul class="cards">
        {signIns.map(({ handle, device, createdAt, lastUsedAt, isCurrent }) => (
          <li key={handle} class="card sign-in">
            <p>
              <strong>{device ?? (isCurrent ? 'This browser' : 'Another browser')}</strong>
              {device && isCurrent && ' (this browser)'}
              <br />
              <span class="quiet">
                Signed in <time dateTime={createdAt}>{formats.moment(createdAt)}</time>, last seen about{' '}
                <time dateTime={lastUsedAt}>{formats.moment(lastUsedAt)}</time>
              </span>
            </p>
            {!isCurrent && (
              <ButtonForm action={`${path}/${handle}/end`} csrf={viewer.csrf}>
                End
                <span class="unseen">
                  {' '}
                  the sign-in of {formats.moment(createdAt)}
                  {device && ` with ${device}`}
                </span>
              </ButtonForm>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <ButtonForm action={`${path}/end`} csrf={viewer.csrf}>
          Sign out everywhere else
        </ButtonForm>
      )}
    </>
  )
}
