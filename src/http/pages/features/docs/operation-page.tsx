import type { Scope } from '../../../../access/scopes.ts'
import { Copyable } from '../../components/copyable.tsx'
import { Field, Labelled, SelectField, TextArea } from '../../components/fields.tsx'
import { Form } from '../../components/forms.tsx'
import { DataTable, Pairs } from '../../components/lists.tsx'
import { Crumb, Section } from '../../components/section.tsx'
import { useEnglish, useScriptTexts, useTexts } from '../../framework/localization.ts'
import type { DocumentedOperation, Parameter, Reference } from './document.ts'
import { Inline, Prose } from './prose.tsx'
import { bodyText, exampleRequests } from './requests.ts'
import { Facts, SchemaTree, typeText } from './schema-tree.tsx'

type Schemas = Reference['schemas']

const code = (text: string) => <code>{text}</code>

export const anchorOf = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-')

/** Without a name, so that its value cannot end up in an address. */
function TryInput({ parameter }: { parameter: Parameter }) {
  const t = useTexts().docs
  const { name, schema, required } = parameter
  const choices = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined)
  const attributes = { 'data-in': parameter.in, 'data-name': name, required }
  const label = (
    <>
      <code>{name}</code> <span class="quiet">{typeText(schema, {}, t.schema)}</span>
    </>
  )
  const field = { id: `try-${name}`, label }
  if (!choices) return <Field {...field} input={{ ...attributes, type: 'text', autocomplete: 'off' }} />
  const options = choices.map((choice) => ({ value: String(choice), label: String(choice) }))
  const none = { value: '', label: t.operation.notSent }
  return <SelectField {...field} select={attributes} value="" options={required ? options : [none, ...options]} />
}

interface TryItProps {
  basePath: string
  operation: DocumentedOperation
  body: string | undefined
}

/** Hidden without scripts. */
function TryIt({ basePath, operation, body }: TryItProps) {
  const t = useTexts().docs.operation
  const { method, path, parameters, open } = operation
  const isFile = operation.body !== undefined && body === undefined
  return (
    <section
      aria-labelledby="try"
      hidden
      data-try
      data-method={method}
      data-path={basePath + path}
      data-texts={useScriptTexts('tryIt')}
    >
      <h2 id="try">{t.tryIt}</h2>
      <p class="quiet">{method === 'GET' ? t.tryReading : t.tryWriting}</p>
      <Form class="card" autocomplete="off">
        {!open && (
          <Labelled
            id="try-key"
            label={t.key}
            hint={t.keyHint({ link: (text) => <a href={`${basePath}/settings/security`}>{text}</a> })}
          >
            {({ id, ...ties }) => <input id={id} type="password" autocomplete="off" required {...ties} />}
          </Labelled>
        )}
        {parameters.length > 0 && (
          <div class="columns">
            {parameters.map((parameter) => (
              <TryInput key={parameter.name} parameter={parameter} />
            ))}
          </div>
        )}
        {body !== undefined && (
          <TextArea
            id="try-body"
            label={t.body}
            value={body}
            area={{ class: 'code', rows: Math.min(16, body.split('\n').length + 1), spellcheck: false }}
          />
        )}
        {isFile && <Field id="try-file" label={t.file} input={{ type: 'file', required: true }} />}
        <button class="primary" type="submit">
          {t.send}
        </button>
      </Form>
      <div id="try-answer" role="status" />
    </section>
  )
}

function Scopes({ open, scopes, conditionalScopes }: DocumentedOperation) {
  const texts = useTexts()
  const t = texts.docs.operation
  if (open) return <p>{t.noCredential}</p>
  return (
    <>
      {scopes.length === 0 ? (
        <p>{t.anyCredential}</p>
      ) : (
        <Pairs
          class="facts"
          pairs={scopes.map((scope) => [<code key={scope}>{scope}</code>, texts.messages.scopes[scope as Scope]])}
        />
      )}
      {conditionalScopes.length > 0 && <p>{t.moreScopes}</p>}
    </>
  )
}

function Parameters({ parameters, schemas }: { parameters: Parameter[]; schemas: Schemas }) {
  const texts = useTexts().docs
  const t = texts.operation
  return (
    <DataTable
      class="stacked parameters"
      caption={t.parameters}
      rows={parameters}
      columns={[
        { title: t.name, names: true, cell: ({ name }) => <code>{name}</code> },
        { title: t.in, cell: (parameter) => parameter.in },
        {
          title: t.value,
          cell: ({ schema, required, description }) => (
            <>
              <span class="type">{typeText(schema, schemas, texts.schema)}</span>{' '}
              {required && <span class="must">{t.required}</span>}
              <Facts schema={{ ...schema, description }} schemas={schemas} />
            </>
          ),
        },
      ]}
    />
  )
}

function Responses({ answers, schemas }: Pick<DocumentedOperation, 'answers'> & { schemas: Schemas }) {
  const t = useTexts().docs.operation
  const lang = useEnglish()
  return (
    <ul class="answers">
      {answers.map(({ status, description, headers, contents, codes }) => (
        <li key={status} class="answer">
          <h3>
            <code class={status.startsWith('2') ? 'status good' : 'status'}>{status}</code>
            {codes.length > 0 && <code>{codes.join(', ')}</code>}
          </h3>
          <p lang={lang}>
            <Inline text={description} />
          </p>
          {headers.map((header) => (
            <p key={header.name} class="quiet">
              {t.header({
                name: header.name,
                code,
                text: header.description,
                description: (text) => (
                  <span lang={lang}>
                    <Inline text={text} />
                  </span>
                ),
              })}
            </p>
          ))}
          {status.startsWith('2') &&
            contents.map(({ type, schema }) => (
              <div key={type}>
                {contents.length > 1 && <p class="quiet">{t.contentType({ type, code })}</p>}
                <SchemaTree schema={schema} schemas={schemas} use="answer" />
              </div>
            ))}
        </li>
      ))}
    </ul>
  )
}

interface Props {
  basePath: string
  baseUrl: string
  reference: Reference
  operation: DocumentedOperation
}

export function OperationReference({ basePath, baseUrl, reference: { schemas }, operation }: Props) {
  const t = useTexts().docs.operation
  const { id, method, path, tag, summary, description, parameters, body, answers } = operation
  return (
    <>
      <Crumb href={`${basePath}/docs#${anchorOf(tag)}`}>{t.group({ name: tag })}</Crumb>
      <h1 lang={useEnglish()}>{summary}</h1>
      <p class="endpoint">
        <code class={`method ${method.toLowerCase()}`}>{method}</code> <code>{path}</code>
      </p>
      <Prose text={description} />
      <p class="quiet">
        {t.source({ id, code, link: (text) => <a href={`${basePath}/api/v1/openapi.yaml`}>{text}</a> })}
      </p>
      <Section id="scopes" title={t.scopes}>
        <Scopes {...operation} />
      </Section>
      {parameters.length > 0 && (
        <Section id="parameters" title={t.parameters}>
          <Parameters parameters={parameters} schemas={schemas} />
        </Section>
      )}
      {body && (
        <Section id="body" title={t.body}>
          <p class="quiet">
            <code>{body.type}</code>
          </p>
          <SchemaTree schema={body.schema} schemas={schemas} use="request" />
        </Section>
      )}
      <Section id="command" title={t.command}>
        {exampleRequests(operation, schemas, baseUrl).map(({ id: language, name, text }, index) => (
          <details key={language} class="example" name="request" open={index === 0}>
            <summary class="fold">{name}</summary>
            <Copyable id={language} text={text} what={t.theRequest({ language: name })} />
          </details>
        ))}
      </Section>
      <TryIt basePath={basePath} operation={operation} body={bodyText(operation, schemas)} />
      <Section id="answers" title={t.responses}>
        <Responses answers={answers} schemas={schemas} />
        <p class="quiet">{t.errors({ shape: '{"error": {"code", "message", "details"}}', code })}</p>
      </Section>
    </>
  )
}
