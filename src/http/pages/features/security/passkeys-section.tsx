import { MAX_PASSKEYS, type PasskeyService } from '../../../../domain/passkeys/service.ts'
import { DangerForm, formFields, PostForm } from '../../components/forms.tsx'
import type { Frame } from '../../framework/context.ts'
import { emptyForm, formSpecs } from '../../framework/forms.ts'
import { useScriptTexts, useTexts } from '../../framework/localization.ts'
import type { PageTexts } from '../../texts/languages.ts'
import { Dates, unseen } from './keys.tsx'

/** How the user confirms that a passkey may be added. */
export type PasskeyConfirmation = 'none' | 'password' | 'sign-in'

export interface PasskeyProps extends Frame {
  passkeys: ReturnType<PasskeyService['listOf']>
  /** False if BASE_URL does not allow passkeys. */
  isOffered: boolean
  confirmation: PasskeyConfirmation
}

const passkeySpecs = (t: PageTexts['security']) =>
  formSpecs({
    name: { id: 'passkey-name', label: t.passkeyName, hint: t.passkeyNameHint, required: true, maxLength: 200 },
    password: {
      id: 'passkey-password',
      label: t.passkeyPassword,
      type: 'password',
      required: true,
      autocomplete: 'current-password',
    },
  })

function PasskeyList({ basePath, viewer, formats, passkeys }: PasskeyProps) {
  const t = useTexts().security
  if (passkeys.length === 0) return <p class="card empty">{t.noPasskeys}</p>
  return (
    <ul class="cards">
      {passkeys.map(({ id, name, createdAt, lastUsedAt, otherHost, isOnlySignIn }) => (
        <li key={id} class="card">
          <h3>{name}</h3>
          <p class="quiet">
            <Dates texts={t.passkeyDates} first={createdAt} last={lastUsedAt} formats={formats} />
          </p>
          {otherHost !== undefined && <p>{t.otherHost({ host: otherHost })}</p>}
          {isOnlySignIn ? (
            <p class="quiet">{t.onlyPasskey}</p>
          ) : (
            <div class="folds">
              <DangerForm
                action={`${basePath}/settings/security/passkeys/${id}/delete`}
                csrf={viewer.csrf}
                summary={t.removePasskey({ name, unseen })}
                button={t.removeThisPasskey}
              >
                <p>{t.removePasskeyWarning}</p>
              </DangerForm>
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Hidden until its script shows it. */
function NewPasskey({ basePath, viewer, confirmation, passkeys }: PasskeyProps) {
  const t = useTexts().security
  const scriptTexts = useScriptTexts('passkeys')
  const specs = passkeySpecs(t)
  const field = formFields(specs, emptyForm(specs), {})
  if (passkeys.length >= MAX_PASSKEYS) return <p>{t.passkeyLimit({ count: passkeys.length })}</p>
  if (confirmation === 'sign-in') return <p>{t.passkeyNeedsSignIn}</p>
  return (
    <>
      <noscript>
        <p>{t.passkeysNeedScript}</p>
      </noscript>
      <details class="new" data-new-passkey data-texts={scriptTexts} hidden>
        <summary class="button">{t.newPasskey}</summary>
        <PostForm action={`${basePath}/settings/security/passkeys`} csrf={viewer.csrf} submit={t.addPasskey}>
          {field('name')}
          {confirmation === 'password' && field('password')}
          <p class="script-error" role="status" />
        </PostForm>
      </details>
    </>
  )
}

export function PasskeysSection(props: PasskeyProps) {
  const t = useTexts().security
  return (
    <>
      <p class="quiet">{t.passkeysHint}</p>
      <PasskeyList {...props} />
      {props.isOffered && <NewPasskey {...props} />}
    </>
  )
}
