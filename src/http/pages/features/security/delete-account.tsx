import { DangerForm, formFields } from '../../components/forms.tsx'
import { type Faults, formSpecs } from '../../framework/forms.ts'
import { MessagePage } from '../../framework/message.tsx'

export const deletionSpecs = formSpecs({
  confirm: { id: 'delete-confirm', label: 'Your user name, to confirm', required: true, verbatim: true },
  password: {
    id: 'delete-password',
    label: 'Your password',
    type: 'password',
    required: true,
    autocomplete: 'current-password',
  },
})

interface FormProps {
  basePath: string
  csrf: string
  username: string
  /** What was typed as the name. */
  typed: string
  faults: Faults
  /** Where the account has no password: the name of the provider at which its user signs in once more. */
  provider: string | undefined
}

/** Asks twice: for the name, against a slip, and for a proof of who it is, against whoever found an open browser. */
export function DeleteAccountForm({ basePath, csrf, username, typed, faults, provider }: FormProps) {
  const specs = { ...deletionSpecs, confirm: { ...deletionSpecs.confirm, label: `Type ${username} to confirm` } }
  const field = formFields(specs, { confirm: typed, password: '' }, faults)
  return (
    <DangerForm
      action={`${basePath}/settings/security/delete`}
      csrf={csrf}
      summary="Delete my account"
      button="Delete my account"
      open={Object.keys(faults).length > 0}
    >
      <p>
        Your keys, shares, visited countries and connected applications go with your account, and so do all flights on
        which nobody else has an account. Other flights stay, without you. This cannot be taken back.
      </p>
      {field('confirm')}
      {provider === undefined ? (
        field('password')
      ) : (
        <p>You will be asked to sign in with {provider} once more. Then the account is deleted at once.</p>
      )}
    </DangerForm>
  )
}

/** The last page that somebody sees as this user. */
export function AccountDeletedPage({ basePath, username }: { basePath: string; username: string }) {
  const way = { href: `${basePath}/login`, text: 'Sign in as somebody else' }
  return (
    <MessagePage basePath={basePath} title="Your account was deleted" way={way}>
      <p>
        The account {username} is gone, with everything that belonged to it alone. Its keys and connected applications
        no longer open anything.
      </p>
    </MessagePage>
  )
}
