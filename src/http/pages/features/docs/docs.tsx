import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { scopes } from '../../../../access/scopes.ts'
import { notFound } from '../../../../lib/errors.ts'
import { Pairs } from '../../components/lists.tsx'
import { Section } from '../../components/section.tsx'
import { assets } from '../../framework/assets.ts'
import type { PageContext } from '../../framework/context.ts'
import { Layout, sendPage } from '../../framework/layout.tsx'
import { callerOf } from '../../framework/session.ts'
import { visitOf } from '../../framework/signed-in.ts'
import { type DocumentedOperation, type Reference, referenceOf } from './document.ts'
import { GettingStarted } from './getting-started.tsx'
import { anchorOf, OperationReference } from './operation-page.tsx'
import { Prose } from './prose.tsx'

function OperationLine({ basePath, operation }: { basePath: string; operation: DocumentedOperation }) {
  const { id, method, path, summary, open, scopes: required, conditionalScopes } = operation
  return (
    <li id={id}>
      <a href={`${basePath}/docs/${id}`}>{summary}</a>
      <span class="endpoint">
        <code class={`method ${method.toLowerCase()}`}>{method}</code> <code>{path}</code>
      </span>
      <span class="needs">
        {open && 'public'}
        {!open && required.length === 0 && 'any credential'}
        {required.map((scope) => (
          <code key={scope}>{scope}</code>
        ))}
        {conditionalScopes.length > 0 && <span>some calls also need</span>}
        {conditionalScopes.map((scope) => (
          <code key={scope}>{scope}</code>
        ))}
      </span>
    </li>
  )
}

interface OverviewProps {
  basePath: string
  baseUrl: string
  reference: Reference
}

function Overview({ basePath, baseUrl, reference: { introduction, groups } }: OverviewProps) {
  return (
    <>
      <h1>API reference</h1>
      <p>
        Everything a program can do with this log, at <code>{baseUrl}/api/v1</code>. Also available as an{' '}
        <a href={`${basePath}/api/v1/openapi.yaml`}>OpenAPI document</a>. New here?{' '}
        <a href="#getting-started">Make your first call</a>.
      </p>
      <nav aria-label="On this page" class="contents">
        <ul>
          {[...groups.map(({ name }) => name), 'Scopes', 'Getting started'].map((name) => (
            <li key={name}>
              <a href={`#${anchorOf(name)}`}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
      <Prose text={introduction} />
      {groups.map(({ name, description, operations }) => (
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
        <p class="quiet">What a key or an application can be allowed to do, within the role of its user.</p>
        <Pairs
          class="facts wide scope-list"
          pairs={scopes.map(({ name, description }) => [<code key={name}>{name}</code>, description])}
        />
      </Section>
      <GettingStarted basePath={basePath} baseUrl={baseUrl} />
    </>
  )
}

/** The public API reference. The document does not change while the server runs, so each page is rendered once. */
export async function docs(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, baseUrl, openApi } = context
  const rendered = new Map<string, string>()
  let cachedReference: Reference | undefined

  function reference(): Reference {
    cachedReference ??= referenceOf(openApi())
    return cachedReference
  }

  /** Only the frame depends on the user. */
  function send(request: FastifyRequest, reply: FastifyReply, name: string, title: string, draw: () => JSX.Element) {
    const html = rendered.get(name) ?? renderToString(draw())
    rendered.set(name, html)
    const caller = callerOf(request)
    return sendPage(
      reply,
      200,
      <Layout
        {...(caller ? visitOf(context, request, reply, caller).frame : { basePath })}
        title={`${title} – Paxlog`}
        place="docs"
        below={name !== ''}
        scripts={[assets.tryIt]}
      >
        {/* Escaped when it was rendered. */}
        <div class="reference" dangerouslySetInnerHTML={{ __html: html }} />
      </Layout>,
    )
  }

  app.get('/docs', async (request, reply) =>
    send(request, reply, '', 'API reference', () => (
      <Overview basePath={basePath} baseUrl={baseUrl} reference={reference()} />
    )),
  )

  app.get<{ Params: { operation: string } }>('/docs/:operation', async (request, reply) => {
    const operation = reference().operations.get(request.params.operation)
    if (!operation) throw notFound('operation')
    return send(request, reply, operation.id, `${operation.summary} – API reference`, () => (
      <OperationReference basePath={basePath} baseUrl={baseUrl} reference={reference()} operation={operation} />
    ))
  })
}
