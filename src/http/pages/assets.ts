import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { packageRoot } from '../../lib/package-root.ts'
import { digestText } from '../../lib/secret.ts'

const FOLDER = join(packageRoot, 'src/http/pages/assets')

/** The parts of the one stylesheet, in the order in which they build upon each other. */
const STYLE_PARTS = [
  'base',
  'frame',
  'forms',
  'filter',
  'figures',
  'flights',
  'flight-form',
  'map',
  'share',
  'reference',
  'administration',
]

const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8')

const asset = (name: string, type: string, text = read(name)) => {
  const version = digestText(text).replace(/\W/g, '').slice(0, 10)
  return { name, type, text, path: `/assets/${name}?v=${version}` }
}

/** The address names the content, so that a browser never mixes two releases. */
export const assets = {
  style: asset('style.css', 'text/css; charset=utf-8', STYLE_PARTS.map((part) => read(`style/${part}.css`)).join('\n')),
  script: asset('paxlog.js', 'text/javascript; charset=utf-8'),
  tryIt: asset('try-it.js', 'text/javascript; charset=utf-8'),
  icon: asset('icon.svg', 'image/svg+xml'),
}

export async function serveAssets(app: FastifyInstance): Promise<void> {
  for (const { name, type, text } of Object.values(assets)) {
    app.get(`/assets/${name}`, async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=86400').type(type).send(text),
    )
  }
}
