import { type Faults, Field, Hidden } from './fields.tsx'
import { Layout } from './layout.tsx'

export const deletionFields = {
  confirm: { id: 'delete-confirm', label: 'Confirmation' },
  password: { id: 'delete-password', label: 'Your password' },
}

interface FormProps {
  basePath: string
  csrf: string
  username: string
  faults: Faults
}

/** Asks twice: for the name, against a slip, and for the password, against whoever found an open browser. */
export function DeleteAccountForm({ basePath, csrf, username, faults }: FormProps) {
  return (
    <details class="danger" open={Object.keys(faults).length > 0}>
      <summary class="fold bad">Delete my account</summary>
      <form method="post" action={`${basePath}/settings/security/delete`} noValidate>
        <Hidden csrf={csrf} />
        <p>
          Your keys, shares, visited countries and connected applications go with your account, and so do all flights on
          which nobody else has an account. Other flights stay, without you. This cannot be taken back.
        </p>
        <Field
          {...deletionFields.confirm}
          label={`Type ${username} to confirm`}
          name="confirm"
          fault={faults.confirm}
          input={{ type: 'text', required: true, autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
        />
        <Field
          {...deletionFields.password}
          name="password"
          fault={faults.password}
          input={{ type: 'password', required: true, autocomplete: 'current-password' }}
        />
        <button class="danger" type="submit">
          Delete my account
        </button>
      </form>
    </details>
  )
}

/** The last page that somebody sees as this user. */
export function AccountDeletedPage({ basePath, username }: { basePath: string; username: string }) {
  return (
    <Layout title="Your account was deleted – Paxlog" basePath={basePath} narrow>
      <div class="card message">
        <h1>Your account was deleted</h1>
        <p>
          The account {username} is gone, with everything that belonged to it alone. Its keys and connected applications
          no longer open anything.
        </p>
        <p class="actions">
          <a class="button" href={`${basePath}/login`}>
            Sign in as somebody else
          </a>
        </p>
      </div>
    </Layout>
  )
}
