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
