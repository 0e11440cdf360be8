import type { FastifyInstance } from 'fastify'
import { methodGuard, plainPath, type RouteName } from '../shared/methods.ts'

export type PageRoutes = ReturnType<typeof pageRoutes>

/** The address of a page that leads on to another one. */
export const withNext = (path: string, next: string | undefined): string =>
  next ? `${path}?next=${encodeURIComponent(next)}` : path

/** Knows every page that is registered after it, whoever registers it. */
export function pageRoutes(app: FastifyInstance, basePath: string) {
  const routes: RouteName[] = []
  let guard: ReturnType<typeof methodGuard> | undefined
  app.addHook('onRoute', ({ method, url }) => {
    const path = plainPath(url).replace(/:(\w+)/g, '{$1}')
    for (const name of [method].flat()) routes.push({ method: name, path })
    guard = undefined
  })
  const methodsOf = (url: string) => {
    guard ??= methodGuard(routes)
    return guard.methodsOf(plainPath(url))
  }

  /** The value of `Allow`, or undefined for a path that is no page. */
  const allowed = (url: string): string | undefined => {
    const methods = methodsOf(url)
    return methods && [...methods].join(', ')
  }

  /**
   * Where to go after signing in: a page of this instance as a path with its query, or undefined (C13).
   * Only printable ASCII without a backslash, so that no browser can read the text as an address elsewhere.
   */
  function nextPage(text: unknown): string | undefined {
    if (typeof text !== 'string' || !/^\/(?!\/)[!-[\]-~]*$/.test(text)) return undefined
    const [path = '', query] = text.replace(/#.*$/s, '').split(/\?(.*)/s)
    if (!methodsOf(path)?.has('GET')) return undefined
    return query ? `${path}?${query}` : path
  }

  return { allowed, nextPage, home: basePath || '/' }
}
