import { useScriptTexts, useTexts } from '../framework/localization.ts'

interface ButtonProps {
  id: string
  what: string | undefined
  class?: string
}

function CopyButton({ id, what, class: name }: ButtonProps) {
  const t = useTexts().forms
  return (
    <button class={name} type="button" data-copy={id} data-texts={useScriptTexts('copy')} hidden>
      {what ? t.copyThis({ what, unseen: (text) => <span class="unseen">{text}</span> }) : t.copy}
    </button>
  )
}

export const Copyable = ({ id, text, what }: { id: string; text: string; what: string }) => (
  <div class="copyable">
    <pre>
      <code id={id}>{text}</code>
    </pre>
    <CopyButton class="plain" id={id} what={what} />
    <span class="quiet" role="status" />
  </div>
)

/** A secret or an address. The page has an element `#copied` for the confirmation. */
export const CopiedLine = ({ id, text, of }: { id: string; text: string; of?: string }) => (
  <p class="secret">
    <code id={id}>{text}</code>
    <CopyButton id={id} what={of} />
  </p>
)
