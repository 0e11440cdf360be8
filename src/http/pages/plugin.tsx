import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { ShareService } from '../../domain/shares/service.ts'
import type { visitorView } from '../../domain/shares/visitor.ts'
import { packageRoot } from '../../lib/package-root.ts'
import { share } from './share.tsx'
import { toHtml } from './views/layout.tsx'
import { NotFoundPage } from './views/not-found.tsx'

export interface PageOptions {
  basePath: string
  shares: ShareService
  visitors: ReturnType<typeof visitorView>
}

const STYLE = join(packageRoot, 'src/http/pages/assets/style.css')

/** Everything that people see in a browser. */
export async function pages(app: FastifyInstance, options: PageOptions): Promise<void> {
  const style = readFileSync(STYLE, 'utf8')
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    })
    done()
  })
  app.get('/assets/style.css', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').type('text/css; charset=utf-8').send(style),
  )
  app.setNotFoundHandler((_request, reply) =>
    reply
      .code(404)
      .type('text/html; charset=utf-8')
      .send(toHtml(<NotFoundPage basePath={options.basePath} />)),
  )
  await app.register(share, options)
}
