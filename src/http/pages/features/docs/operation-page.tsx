import { describeScope, type Scope } from '../../../../access/scopes.ts'
import { Copyable } from '../../components/copyable.tsx'
import { DataTable, Pairs } from '../../components/lists.tsx'
import { Crumb, Section } from '../../components/section.tsx'
import type { DocumentedOperation, Reference } from './document.ts'
import { bodyText, curlOf } from './example.ts'
import { Inline, Prose } from './prose.tsx'
import { Facts, SchemaTree, typeText } from './schema-tree.tsx'
import { TryIt } from './try-it.tsx'

interface Props {
  basePath: string
  baseUrl: string
  reference: Reference
  operation: DocumentedOperation
}

function Scopes({ open, scopes, conditionalScopes }: DocumentedOperation) {
  if (open) return <p>None: everybody may call this, without a credential.</p>
  return (
    <>
      {scopes.length === 0 ? (
        <p>None in particular: any valid credential will do.</p>
      ) : (
        <Pairs
          class="facts"
          pairs={scopes.map((scope) => [<code key={scope}>{scope}</code>, describeScope(scope as Scope)])}
        />
      )}
      {conditionalScopes.length > 0 && <p>Some calls need more; the description above says which.</p>}
    </>
  )
}

function Parameters({ parameters, schemas }: Pick<DocumentedOperation, 'parameters'> & Pick<Reference, 'schemas'>) {
  return (
    <DataTable
      class="stacked parameters"
      caption="Parameters"
      rows={parameters}
      columns={[
        { title: 'Name', names: true, cell: ({ name }) => <code>{name}</code> },
        { title: 'In', cell: (parameter) => parameter.in },
        {
          title: 'Value',
          cell: ({ schema, required, description }) => (
            <>
              <span class="type">{typeText(schema, schemas)}</span> {required && <span class="must">required</span>}
              <Facts schema={{ ...schema, description }} schemas={schemas} />
            </>
          ),
        },
      ]}
    />
  )
}

function Answers({ answers, schemas }: Pick<DocumentedOperation, 'answers'> & Pick<Reference, 'schemas'>) {
  return (
    <ul class="answers">
      {answers.map(({ status, description, headers, contents, codes }) => (
        <li key={status} class="answer">
          <h3>
            <code class={status.startsWith('2') ? 'status good' : 'status'}>{status}</code>
            {codes.length > 0 && <code>{codes.join(', ')}</code>}
          </h3>
          <p>
            <Inline text={description} />
          </p>
          {headers.map((header) => (
            <p key={header.name} class="quiet">
              Header <code>{header.name}</code>: <Inline text={header.description} />
            </p>
          ))}
          {status.startsWith('2') &&
            contents.map(({ type, schema }) => (
              <div key={type}>
                {contents.length > 1 && (
                  <p class="quiet">
                    As <code>{type}</code>:
                  </p>
                )}
                <SchemaTree schema={schema} schemas={schemas} use="answer" />
              </div>
            ))}
        </li>
      ))}
    </ul>
  )
}

/** All that is to be known about one operation. */
export function OperationReference({ basePath, baseUrl, reference, operation }: Props) {
  const { schemas } = reference
  const { id, method, path, summary, description, parameters, body } = operation
  return (
    <>
      <Crumb href={`${basePath}/docs#${anchorOf(operation.tag)}`}>API reference: {operation.tag}</Crumb>
      <h1>{summary}</h1>
      <p class="endpoint">
        <code class={`method ${method.toLowerCase()}`}>{method}</code> <code>{path}</code>
      </p>
      <Prose text={description} />
      <p class="quiet">
        Called <code>{id}</code> in the <a href={`${basePath}/api/v1/openapi.yaml`}>OpenAPI document</a>.
      </p>
      <Section id="scopes" title="Scopes">
        <Scopes {...operation} />
      </Section>
      {parameters.length > 0 && (
        <Section id="parameters" title="Parameters">
          <Parameters parameters={parameters} schemas={schemas} />
        </Section>
      )}
      {body && (
        <Section id="body" title="Body">
          <p class="quiet">
            <code>{body.type}</code>
          </p>
          <SchemaTree schema={body.schema} schemas={schemas} use="request" />
        </Section>
      )}
      <Section id="command" title="In a terminal">
        <Copyable id="curl" text={curlOf(operation, schemas, baseUrl)} what="the command" />
      </Section>
      <TryIt basePath={basePath} operation={operation} body={bodyText(operation, schemas)} />
      <Section id="answers" title="Answers">
        <Answers answers={operation.answers} schemas={schemas} />
        <p class="quiet">
          Every refusal has the same shape: <code>{'{"error": {"code", "message", "details"}}'}</code>. The message is
          one English sentence; <code>details</code> name what is wrong, member by member.
        </p>
      </Section>
    </>
  )
}

export const anchorOf = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-')
