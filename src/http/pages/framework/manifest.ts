import type { FastifyInstance } from 'fastify'
import { assets } from './assets.ts'
import type { PageContext } from './context.ts'

/** Background colours of the style sheet. */
export const grounds = { light: '#f5f7fa', dark: '#0e151c' } as const

/** The web app manifest. It is public. */
export async function manifest(app: FastifyInstance, { basePath }: PageContext): Promise<void> {
  const icon = (path: string, sizes: string, type: string) => ({ src: basePath + path, sizes, type })
  app.get('/manifest.webmanifest', async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/manifest+json; charset=utf-8')
      .send(
        JSON.stringify({
          name: 'Paxlog – flight log',
          short_name: 'Paxlog',
          id: `${basePath}/`,
          start_url: `${basePath}/`,
          scope: `${basePath}/`,
          display: 'standalone',
          background_color: grounds.light,
          theme_color: grounds.light,
          icons: [
            icon(assets.icon.path, 'any', 'image/svg+xml'),
            { ...icon(assets.smallIcon.path, '192x192', 'image/png'), purpose: 'any maskable' },
            { ...icon(assets.largeIcon.path, '512x512', 'image/png'), purpose: 'any maskable' },
          ],
        }),
      ),
  )
}
