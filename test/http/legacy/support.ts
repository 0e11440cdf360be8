import type { InjectOptions } from 'fastify'
import { type Answer, type PaxlogOptions, sharedPaxlog, type TestUser } from '../../support/paxlog.ts'
import { copyLoaded } from '../../support/process.ts'

export type Server = Awaited<ReturnType<typeof legacyServer>>

/** An app with the bundled reference data, shared by all tests of a file. */
export async function legacyServer(options: PaxlogOptions = {}) {
  const server = await sharedPaxlog(options, copyLoaded)
  const root = new URL(options.baseUrl ?? 'http://localhost').pathname.replace(/\/$/, '')

  /** A client of the legacy API. Paths are relative to /api. */
  function legacyAs(who: TestUser | string | undefined) {
    const key = typeof who === 'object' ? who.key : who
    const send = (method: 'GET' | 'POST', path: string, payload?: unknown): Promise<Answer> =>
      server.request({
        method,
        url: `${root}/api${path}`,
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
        ...(payload !== undefined && { payload: payload as InjectOptions['payload'] }),
      })
    return {
      get: (path: string) => send('GET', path),
      post: (path: string, payload?: unknown) => send('POST', path, payload),
      save: (body: object) => send('POST', '/flight/save', body),
      /** Saves a new flight and returns it in the legacy format. */
      async saveAndGet(body: object) {
        const saved = await send('POST', '/flight/save', body)
        if (saved.status !== 200) throw new Error(saved.text)
        return (await send('GET', `/flight/get/${saved.body.id}`)).body.flight
      },
    }
  }

  return { ...server, legacyAs }
}

/** The minimal body of a save. */
export const zurichToLisbon = {
  from: 'ZRH',
  to: 'LIS',
  departure: '2025-05-03',
  passengers: [{ userId: '<USER_ID>' }],
}
