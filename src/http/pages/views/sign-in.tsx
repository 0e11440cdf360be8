import { Field } from './fields.tsx'
import { Hidden } from './forms.tsx'
import { Layout } from './layout.tsx'

interface Props {
  basePath: string
  csrf: string
  next: string | undefined
  refused: boolean
}

/** Says the same, whichever of the two was wrong, and repeats nothing that was typed. */
export function SignInPage({ basePath, csrf, next, refused }: Props) {
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
        <form method="post" action={`${basePath}/login`} aria-describedby={refused ? 'refused' : undefined}>
          <Hidden csrf={csrf} next={next} />
          <Field
            id="username"
            name="username"
            label="User name"
            input={{
              type: 'text',
              required: true,
              autocomplete: 'username',
              autocapitalize: 'none',
              spellcheck: false,
              autofocus: true,
            }}
          />
          <Field
            id="password"
            name="password"
            label="Password"
            input={{ type: 'password', required: true, autocomplete: 'current-password' }}
          />
          <button class="primary" type="submit">
            Sign in
          </button>
        </form>
      </div>
    </Layout>
  )
}
