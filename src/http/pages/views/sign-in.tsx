import { Field } from './fields.tsx'
import { Hidden } from './forms.tsx'
import { Layout } from './layout.tsx'

interface Props {
  basePath: string
  csrf: string
  next: string | undefined
  refused: boolean
  /** The browser comes with a session that is over. */
  ended: boolean
  /** As it was typed; the password never comes back. */
  username: string
  /** The name of the identity provider, where there is one. */
  provider: string | undefined
  withPassword: boolean
}

function ProviderButton({ basePath, next, name }: { basePath: string; next: string | undefined; name: string }) {
  const query = next ? `?next=${encodeURIComponent(next)}` : ''
  return (
    <a class="button wide" href={`${basePath}/login/oidc${query}`}>
      Sign in with {name}
    </a>
  )
}

/** Why somebody who was signed in is asked again, and what became of what they typed. */
function Ended({ isKept }: { isKept: boolean }) {
  return (
    <p class="notice" role="status">
      Your session has ended. {isKept ? 'Sign in, and what you typed is there again.' : 'Sign in to go on.'}
    </p>
  )
}

/** Says the same, whichever of the two was wrong. */
export function SignInPage(props: Props) {
  const { basePath, csrf, next, refused, ended, username, provider, withPassword } = props
  const isKept = /[?&]kept=1$/.test(next ?? '')
  return (
    <Layout title={`${refused ? 'Error: ' : ''}Sign in – Paxlog`} basePath={basePath} narrow>
      <div class="card">
        <h1>Sign in</h1>
        {refused && (
          <div class="summary" role="alert" id="refused">
            <p>
              <strong>The user name or the password is wrong.</strong>
            </p>
          </div>
        )}
        {(ended || isKept) && !refused && <Ended isKept={isKept} />}
        {provider !== undefined && <ProviderButton basePath={basePath} next={next} name={provider} />}
        {provider !== undefined && withPassword && <p class="quiet">or with your password:</p>}
        {withPassword && (
          <form method="post" action={`${basePath}/login`} aria-describedby={refused ? 'refused' : undefined}>
            <Hidden csrf={csrf} next={next} />
            <Field
              id="username"
              name="username"
              label="User name"
              input={{
                type: 'text',
                value: username,
                required: true,
                autocomplete: 'username',
                autocapitalize: 'none',
                spellcheck: false,
                autofocus: username === '',
              }}
            />
            <Field
              id="password"
              name="password"
              label="Password"
              input={{ type: 'password', required: true, autocomplete: 'current-password', autofocus: username !== '' }}
            />
            <button class="primary" type="submit">
              Sign in
            </button>
          </form>
        )}
      </div>
    </Layout>
  )
}
