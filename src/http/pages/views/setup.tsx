import type { Faults } from '../forms.ts'
import { FaultSummary, Field } from './fields.tsx'
import { Hidden } from './forms.tsx'
import { Layout } from './layout.tsx'

interface Props {
  basePath: string
  csrf: string
  /** For whoever comes from another machine. */
  asksCode: boolean
  next: string | undefined
  username?: string
  displayName?: string
  faults?: Faults
}

const fields = {
  code: { id: 'code', label: 'Setup code' },
  username: { id: 'username', label: 'User name' },
  displayName: { id: 'display-name', label: 'Your name' },
  password: { id: 'password', label: 'Password' },
}

export function SetupPage(props: Props) {
  const { basePath, csrf, asksCode, next, username = '', displayName = '', faults = {} } = props
  return (
    <Layout title="Welcome – Paxlog" faults={faults} basePath={basePath} narrow>
      <div class="card">
        <h1>Welcome to Paxlog</h1>
        <p class="quiet">This instance is new. Create the account that owns it; others can be added later.</p>
        <FaultSummary faults={faults} fields={fields} />
        <form method="post" action={`${basePath}/setup`} noValidate>
          <Hidden csrf={csrf} next={next} />
          {asksCode && (
            <Field
              {...fields.code}
              name="code"
              fault={faults.code}
              hint="Two groups of four characters. The server writes it to its log when it starts, so that nobody else can become its owner."
              input={{
                type: 'text',
                required: true,
                autocomplete: 'off',
                autocapitalize: 'characters',
                spellcheck: false,
              }}
            />
          )}
          <Field
            {...fields.username}
            name="username"
            fault={faults.username}
            hint="3 to 20 letters, digits, dots, underscores or hyphens. You sign in with it."
            input={{
              type: 'text',
              value: username,
              required: true,
              autocomplete: 'username',
              autocapitalize: 'none',
              spellcheck: false,
            }}
          />
          <Field
            {...fields.displayName}
            name="displayName"
            fault={faults.displayName}
            hint="How you are shown to others. Without it, the user name is used."
            input={{ type: 'text', value: displayName, autocomplete: 'name' }}
          />
          <Field
            {...fields.password}
            name="password"
            fault={faults.password}
            hint="8 characters or more. A few words in a row are easy to keep in mind."
            input={{ type: 'password', required: true, autocomplete: 'new-password' }}
          />
          <button class="primary" type="submit">
            Create the owner
          </button>
        </form>
      </div>
    </Layout>
  )
}
