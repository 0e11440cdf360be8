import { DangerForm, formFields } from '../../components/forms.tsx'
import { type FieldErrors, formSpecs } from '../../framework/forms.ts'
import { useScriptTexts, useTexts } from '../../framework/localization.ts'
import { MessagePage } from '../../framework/message.tsx'
import type { PageTexts } from '../../texts/languages.ts'

export const deletionSpecs = (t: PageTexts['security']) =>
  formSpecs({
    confirm: { id: 'delete-confirm', label: t.confirmation, required: true, verbatim: true },
    password: {
      id: 'delete-password',
      label: t.yourPassword,
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
  fieldErrors: FieldErrors
  canUsePassword: boolean
  /** The identity provider that confirms the deletion of an account without a password. */
  provider: string | undefined
  hasPasskey: boolean
}

/** The script sends the response of the passkey in the hidden field. */
function PasskeyConfirmation({ basePath, isOnly }: { basePath: string; isOnly: boolean }) {
  const t = useTexts().security
  return (
    <div
      data-passkey-confirmation={`${basePath}/settings/security/passkeys/options`}
      data-only={isOnly ? '' : undefined}
      data-texts={useScriptTexts('passkeys')}
    >
      <input type="hidden" name="passkey" value="" />
      {isOnly ? (
        <p>{t.passkeyDeletes}</p>
      ) : (
        <button type="button" hidden>
          {t.deleteWithPasskey}
        </button>
      )}
      <p class="script-error" role="status" />
    </div>
  )
}

/** The name protects against a slip, the password or sign-in against people who find an open browser. */
export function DeleteAccountForm({ basePath, csrf, username, typed, fieldErrors, ...props }: FormProps) {
  const { canUsePassword, provider, hasPasskey } = props
  const t = useTexts().security
  const { confirm, password } = deletionSpecs(t)
  const specs = { confirm: { ...confirm, label: t.typeToConfirm({ username }) }, password }
  const field = formFields(specs, { confirm: typed, password: '' }, fieldErrors)
  return (
    <DangerForm
      action={`${basePath}/settings/security/delete`}
      csrf={csrf}
      summary={t.deleteAccount}
      button={t.deleteAccount}
      open={Object.keys(fieldErrors).length > 0}
    >
      <p>{t.deleteAccountWarning}</p>
      {field('confirm')}
      {canUsePassword && field('password')}
      {provider !== undefined && <p>{t.signInToDelete({ provider })}</p>}
      {hasPasskey && <PasskeyConfirmation basePath={basePath} isOnly={!canUsePassword && provider === undefined} />}
    </DangerForm>
  )
}

export function AccountDeletedPage({ basePath, username }: { basePath: string; username: string }) {
  const t = useTexts().security
  const way = { href: `${basePath}/login`, text: t.signInAsAnother }
  return (
    <MessagePage basePath={basePath} title={t.accountDeleted} way={way}>
      <p>{t.accountDeletedDetails({ username })}</p>
    </MessagePage>
  )
}
