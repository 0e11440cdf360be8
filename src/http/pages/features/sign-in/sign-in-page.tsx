import { formFields, PostForm } from '../../components/forms.tsx'
import { formSpecs, type Typed } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { withNext } from '../../framework/routes.ts'

export const signInSpecs = formSpecs({
  username: { id: 'username', label: 'User name', required: true, verbatim: true, autocomplete: 'username' },
  password: {
    id: 'password',
    label: 'Password',
    type: 'password',
    required: true,
    autocomplete: 'current-password',
  },
})

interface Props {
  basePath: string
  csrf: string
  next: string | undefined
  refused: boolean
  /** The browser comes with a session that is over. */
  ended: boolean
  typed: Typed<typeof signInSpecs>
  /** The name of the identity provider, where there is one. */
  provider: string | undefined
  withPassword: boolean
}

function ProviderButton({ basePath, next, name }: { basePath: string; next: string | undefined; name: string }) {
  return (
    <a class="button wide" href={withNext(`${basePath}/login/oidc`, next)}>
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
  const { basePath, csrf, next, refused, ended, typed, provider, withPassword } = props
  const field = formFields(signInSpecs, typed, {})
  const isNamed = typed.username !== ''
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
          <PostForm
            action={`${basePath}/login`}
            csrf={csrf}
            next={next}
            submit="Sign in"
            plain
            noValidate={false}
            aria-describedby={refused ? 'refused' : undefined}
          >
            {field('username', { autofocus: !isNamed })}
            {field('password', { autofocus: isNamed })}
          </PostForm>
        )}
      </div>
    </Layout>
  )
}
