import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { notFound } from '../../../../lib/errors.ts'
import { assets } from '../../framework/assets.ts'
import type { PageContext } from '../../framework/context.ts'
import { Layout, sendPage } from '../../framework/layout.tsx'
import { callerOf } from '../../framework/session.ts'
import { visitOf } from '../../framework/signed-in.ts'
import { ReferenceOverview } from './docs-page.tsx'
import { type Reference, referenceOf } from './document.ts'
import { OperationReference } from './operation-page.tsx'

/** The public API reference. The document does not change while the server runs, so each page is rendered once. */
export async function docs(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, baseUrl, openApi } = context
  const drawn = new Map<string, string>()
  let known: Reference | undefined

  function reference(): Reference {
    known ??= referenceOf(openApi())
    return known
  }

  /** Only the frame depends on the user. */
  function send(request: FastifyRequest, reply: FastifyReply, name: string, title: string, draw: () => JSX.Element) {
    const html = drawn.get(name) ?? renderToString(draw())
    drawn.set(name, html)
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
      <ReferenceOverview basePath={basePath} baseUrl={baseUrl} reference={reference()} />
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
