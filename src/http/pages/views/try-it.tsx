import type { DocumentedOperation, Parameter } from '../reference/document.ts'
import { typeText } from './schema-tree.tsx'

interface Props {
  basePath: string
  operation: DocumentedOperation
  body: string | undefined
}

function Input({ parameter }: { parameter: Parameter }) {
  const id = `try-${parameter.name}`
  const { schema } = parameter
  const choices = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined)
  // Without names: whatever happens, nothing of this form can end up in an address.
  const place = { id, 'data-in': parameter.in, 'data-name': parameter.name, required: parameter.required }
  return (
    <div class="field">
      <label for={id}>
        <code>{parameter.name}</code> <span class="quiet">{typeText(schema, {})}</span>
      </label>
      {choices ? (
        <select {...place}>
          {!parameter.required && <option value="">not sent</option>}
          {choices.map((choice) => (
            <option key={String(choice)} value={String(choice)}>
              {String(choice)}
            </option>
          ))}
        </select>
      ) : (
        <input {...place} type="text" autocomplete="off" />
      )}
    </div>
  )
}

/** Shown by its script alone; without one the command above does the same. */
export function TryIt({ basePath, operation, body }: Props) {
  const { method, path, parameters, open } = operation
  const isFile = operation.body !== undefined && body === undefined
  return (
    <section aria-labelledby="try" hidden data-try data-method={method} data-path={basePath + path}>
      <h2 id="try">Try it here</h2>
      <p class="quiet">
        {method === 'GET'
          ? 'The call goes to this instance and is answered with your own data.'
          : 'The call goes to this instance and is carried out: it changes what is stored.'}
      </p>
      <form class="card" autocomplete="off">
        {!open && (
          <div class="field">
            <label for="try-key">Your API key</label>
            <p class="hint" id="try-key-hint">
              Used for this call and kept nowhere. <a href={`${basePath}/settings/security`}>Make one</a> if you have
              none.
            </p>
            <input id="try-key" type="password" autocomplete="off" required aria-describedby="try-key-hint" />
          </div>
        )}
        {parameters.length > 0 && (
          <div class="columns">
            {parameters.map((parameter) => (
              <Input key={parameter.name} parameter={parameter} />
            ))}
          </div>
        )}
        {body !== undefined && (
          <div class="field">
            <label for="try-body">Body</label>
            <textarea id="try-body" class="code" rows={Math.min(16, body.split('\n').length + 1)} spellcheck={false}>
              {body}
            </textarea>
          </div>
        )}
        {isFile && (
          <div class="field">
            <label for="try-file">File</label>
            <input id="try-file" type="file" required />
          </div>
        )}
        <button class="primary" type="submit">
          Send
        </button>
      </form>
      <div id="try-answer" role="status" />
    </section>
  )
}
