/** Text to be copied: by a button where a script runs, by hand elsewhere. */
export function Copyable({ id, text, what }: { id: string; text: string; what: string }) {
  return (
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
}

/** A secret or an address in one line, with its button; `#copied` says that it was done. */
export function CopiedLine({ id, text, of }: { id: string; text: string; of?: string }) {
  return (
    <p class="secret">
      <code id={id}>{text}</code>
      <button type="button" data-copy={id} hidden>
        Copy{of && <span class="unseen"> {of}</span>}
      </button>
    </p>
  )
}
