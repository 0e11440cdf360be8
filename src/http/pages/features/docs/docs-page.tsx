import { scopes } from '../../../../access/scopes.ts'
import { Pairs } from '../../components/lists.tsx'
import { Section } from '../../components/section.tsx'
import type { DocumentedOperation, Reference } from './document.ts'
import { GettingStarted } from './getting-started.tsx'
import { anchorOf } from './operation-page.tsx'
import { Prose } from './prose.tsx'

interface Props {
  basePath: string
  baseUrl: string
  reference: Reference
}

function OperationLine({ basePath, operation }: { basePath: string; operation: DocumentedOperation }) {
  const { id, method, path, summary, scopes: needed, conditionalScopes: sometimes } = operation
  return (
    <li id={id}>
      <a href={`${basePath}/docs/${id}`}>{summary}</a>
      <span class="endpoint">
        <code class={`method ${method.toLowerCase()}`}>{method}</code> <code>{path}</code>
      </span>
      <span class="needs">
        {operation.open && 'public'}
        {!operation.open && needed.length === 0 && 'any credential'}
        {needed.map((scope) => (
          <code key={scope}>{scope}</code>
        ))}
        {sometimes.length > 0 && <span>for some calls also</span>}
        {sometimes.map((scope) => (
          <code key={scope}>{scope}</code>
        ))}
      </span>
    </li>
  )
}

function Contents({ groups }: Pick<Reference, 'groups'>) {
  return (
    <nav aria-label="On this page" class="contents">
      <ul>
        {groups.map(({ name }) => (
          <li key={name}>
            <a href={`#${anchorOf(name)}`}>{name}</a>
          </li>
        ))}
        <li>
          <a href="#scopes">Scopes</a>
        </li>
        <li>
          <a href="#getting-started">Getting started</a>
        </li>
      </ul>
    </nav>
  )
}

/** The overview: every operation with its scopes, and how to make a first call. */
export function ReferenceOverview({ basePath, baseUrl, reference }: Props) {
  return (
    <>
      <h1>API reference</h1>
      <p>
        Everything a program can do with this log, at <code>{baseUrl}/api/v1</code>. For tools there is the same as an{' '}
        <a href={`${basePath}/api/v1/openapi.yaml`}>OpenAPI document</a>. New here?{' '}
        <a href="#getting-started">Make your first call</a>.
      </p>
      <Contents groups={reference.groups} />
      <Prose text={reference.introduction} />
      {reference.groups.map(({ name, description, operations }) => (
        <Section key={name} id={anchorOf(name)} title={name}>
          <p class="quiet">{description}</p>
          <ul class="operations card">
            {operations.map((operation) => (
              <OperationLine key={operation.id} basePath={basePath} operation={operation} />
            ))}
          </ul>
        </Section>
      ))}
      <Section id="scopes" title="Scopes">
        <p class="quiet">What a key or an application may be allowed, never further than the role of its user goes.</p>
        <Pairs
          class="facts wide scope-list"
          pairs={scopes.map(({ name, description }) => [<code key={name}>{name}</code>, description])}
        />
      </Section>
      <GettingStarted basePath={basePath} baseUrl={baseUrl} />
    </>
  )
}
