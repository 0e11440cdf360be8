import Fastify from 'fastify'
import { onTestFinished } from 'vitest'
import type { PageOptions } from '../../src/http/pages/context.ts'
import { pages } from '../../src/http/pages/plugin.tsx'
import { openApiDocument } from '../../src/http/v1/openapi.ts'
import { browserSession } from './browser-session.ts'
import { type Paxlog, type PaxlogOptions, paxlog, sharedPaxlog } from './paxlog.ts'

export const PASSWORD = 'correct horse battery'

/** An instance whose owner has a password, and a browser that is signed in as the owner. */
export const signedIn = async (options: PaxlogOptions = {}) => withOwner(await paxlog(options), options)

/** The same for all tests of a file, which closes it. */
export const sharedSignedIn = async (options: PaxlogOptions = {}) => withOwner(await sharedPaxlog(options), options)

async function withOwner<Instance extends Paxlog>(instance: Instance, options: PaxlogOptions) {
  const owner = await instance.services.users.createOwner({ username: 'mira', displayName: 'Mira', password: PASSWORD })
  const browser = browserSession(instance.app)
  const basePath = new URL(options.baseUrl ?? 'http://localhost').pathname.replace(/\/$/, '')
  const answer = await browser.submit(`${basePath}/login`, `${basePath}/login`, {
    username: 'mira',
    password: PASSWORD,
  })
  if (answer.status !== 303) throw new Error(`The owner could not sign in: ${answer.status}`)
  return { ...instance, owner, browser }
}

/** The pages alone, where a test wants to pass something else than the composition does. */
export async function pagesWith(instance: Awaited<ReturnType<typeof paxlog>>, options: Partial<PageOptions>) {
  const app = Fastify({ routerOptions: { ignoreDuplicateSlashes: true, ignoreTrailingSlash: true } })
  const rest = {
    baseUrl: 'http://localhost:3000',
    basePath: '',
    addressOf: () => '127.0.0.1',
    isLocal: () => true,
    passwordSignIn: true,
    openApi: () => openApiDocument(instance.app),
  }
  await app.register(pages, { ...instance.services, ...rest, ...options })
  onTestFinished(() => app.close())
  return app
}
