import { Field, Labelled, SelectField, TextArea } from '../../components/fields.tsx'
import { Form } from '../../components/forms.tsx'
import type { DocumentedOperation, Parameter } from './document.ts'
import { typeText } from './schema-tree.tsx'

interface Props {
  basePath: string
  operation: DocumentedOperation
  body: string | undefined
}

/** Without names: whatever happens, nothing of this form can end up in an address. */
function Input({ parameter }: { parameter: Parameter }) {
  const { name, schema, required } = parameter
  const choices = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined)
  const sent = { 'data-in': parameter.in, 'data-name': name, required }
  const label = (
    <>
      <code>{name}</code> <span class="quiet">{typeText(schema, {})}</span>
    </>
  )
  const field = { id: `try-${name}`, label }
  if (!choices) return <Field {...field} input={{ ...sent, type: 'text', autocomplete: 'off' }} />
  const options = choices.map((choice) => ({ value: String(choice), label: String(choice) }))
  const none = { value: '', label: 'not sent' }
  return <SelectField {...field} select={sent} value="" options={required ? options : [none, ...options]} />
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
      <Form class="card" autocomplete="off">
        {!open && (
          <Labelled
            id="try-key"
            label="Your API key"
            hint={
              <>
                Used for this call and kept nowhere. <a href={`${basePath}/settings/security`}>Make one</a> if you have
                none.
              </>
            }
          >
            {({ id, ...ties }) => <input id={id} type="password" autocomplete="off" required {...ties} />}
          </Labelled>
        )}
        {parameters.length > 0 && (
          <div class="columns">
            {parameters.map((parameter) => (
              <Input key={parameter.name} parameter={parameter} />
            ))}
          </div>
        )}
        {body !== undefined && (
          <TextArea
            id="try-body"
            label="Body"
            value={body}
            area={{ class: 'code', rows: Math.min(16, body.split('\n').length + 1), spellcheck: false }}
          />
        )}
        {isFile && <Field id="try-file" label="File" input={{ type: 'file', required: true }} />}
        <button class="primary" type="submit">
          Send
        </button>
      </Form>
      <div id="try-answer" role="status" />
    </section>
  )
}
