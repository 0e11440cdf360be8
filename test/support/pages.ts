import Fastify from 'fastify'
import { onTestFinished } from 'vitest'
import { operator, viaPage } from '../../src/access/caller.ts'
import { hashPassword } from '../../src/domain/users/password.ts'
import type { PageOptions } from '../../src/http/pages/framework/options.ts'
import { pages } from '../../src/http/pages/framework/plugin.tsx'
import { openApiDocument } from '../../src/http/v1/openapi.ts'
import { newId } from '../../src/lib/secret.ts'
import { browserSession } from './browser-session.ts'
import { type Paxlog, type PaxlogOptions, paxlog, sharedPaxlog } from './paxlog.ts'

export const PASSWORD = 'correct horse battery'

/** An instance with an owner, and a browser that is signed in as the owner. */
export const signedIn = async (options: PaxlogOptions = {}) => withOwner(await paxlog(options), options)

/** Like `signedIn`, but submits the sign-in form, for tests of its cookies. */
export async function signedInByForm(options: PaxlogOptions = {}) {
  const instance = await signedIn(options)
  const browser = browserSession(instance.app)
  const path = `${new URL(options.baseUrl ?? 'http://localhost').pathname.replace(/\/$/, '')}/login`
  const answer = await browser.submit(path, path, { username: 'mira', password: PASSWORD })
  if (answer.status !== 303) throw new Error(`The owner could not sign in: ${answer.status}`)
  return { ...instance, browser }
}

/** Like `signedIn`, for several tests, which must close it. */
export const sharedSignedIn = async (options: PaxlogOptions = {}, prepare?: (dataDir: string) => void) =>
  withOwner(await sharedPaxlog(options, prepare), options)

let hash: string | undefined

/** Creates the owner and the session directly, because hashing takes longer than most tests. */
async function withOwner<Instance extends Paxlog>(instance: Instance, { baseUrl = '' }: PaxlogOptions) {
  const { app, db, services } = instance
  hash ??= await hashPassword(PASSWORD)
  const owner = { id: newId(), username: 'mira' }
  const entry = { kind: 'user.created', subject: owner.id, name: 'mira', concerns: [owner.id] } as const
  db.$client
    .prepare("insert into users values (?, 'mira', 'Mira', ?, null, 1, ?, ?)")
    .run(owner.id, hash, Date.now(), Date.now())
  services.activity.record({ userId: owner.id, username: 'mira', via: operator.via }, entry)
  services.activity.record(
    { userId: owner.id, username: 'mira', via: viaPage('127.0.0.1') },
    { kind: 'sign_in', subject: owner.id },
  )
  const browser = browserSession(app)
  browser.jar.set(baseUrl.startsWith('https:') ? '__Host-paxlog' : 'paxlog', await services.sessions.start(owner.id))
  return { ...instance, owner, browser }
}

/** Only the pages, with other options than in the app. */
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
