export const Copyable = ({ id, text, what }: { id: string; text: string; what: string }) => (
  <div class="copyable">
    <pre>
      <code id={id}>{text}</code>
    </pre>
    <button class="plain" type="button" data-copy={id} hidden>
      Copy<span class="unseen"> {what}</span>
    </button>
    <span class="quiet" role="status" />
  </div>
)

/** A secret or an address. The page has an element `#copied` for the confirmation. */
export const CopiedLine = ({ id, text, of }: { id: string; text: string; of?: string }) => (
  <p class="secret">
    <code id={id}>{text}</code>
    <button type="button" data-copy={id} hidden>
      Copy{of && <span class="unseen"> {of}</span>}
    </button>
  </p>
)
