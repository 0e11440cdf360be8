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
  /** The rejected confirmation. */
  typed: string
  faults: Faults
  /** The identity provider that confirms the deletion of an account without a password. */
  provider: string | undefined
}

/** The name protects against a slip, the password or sign-in against people who find an open browser. */
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
        This also deletes your keys, shares, visited countries and connected applications, and all flights without
        another passenger who has an account. Other flights stay, without you. It cannot be undone.
      </p>
      {field('confirm')}
      {provider === undefined ? (
        field('password')
      ) : (
        <p>You will be asked to sign in with {provider} again. Then your account is deleted immediately.</p>
      )}
    </DangerForm>
  )
}

export function AccountDeletedPage({ basePath, username }: { basePath: string; username: string }) {
  const way = { href: `${basePath}/login`, text: 'Sign in as another user' }
  return (
    <MessagePage basePath={basePath} title="Your account was deleted" way={way}>
      <p>The account {username} and its data were deleted. Its keys and connected applications no longer work.</p>
    </MessagePage>
  )
}
