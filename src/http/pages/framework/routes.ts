import type { FastifyInstance } from 'fastify'
import { hasDotSegment, methodGuard, plainPath, type RouteName } from '../../shared/methods.ts'

export type PageRoutes = ReturnType<typeof pageRoutes>

export const withNext = (path: string, next: string | undefined): string =>
  next ? `${path}?next=${encodeURIComponent(next)}` : path

/** Collects every page that is registered after this call. */
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

  /** The value of `Allow`, or undefined for an unknown path. */
  const allowed = (url: string): string | undefined => {
    const methods = methodsOf(url)
    return methods && [...methods].join(', ')
  }

  /** Only printable ASCII without a backslash, so that no browser reads the text as another origin. */
  const isOwnPath = (text: unknown): text is string => typeof text === 'string' && /^\/(?!\/)[!-[\]-~]*$/.test(text)

  /** The page to open after the sign-in: a page of this instance as a path with its query, or undefined (C13). */
  function nextPage(text: unknown): string | undefined {
    if (!isOwnPath(text)) return undefined
    const [path = '', query] = text.replace(/#.*$/s, '').split(/\?(.*)/s)
    if (!methodsOf(path)?.has('GET')) return undefined
    return query ? `${path}?${query}` : path
  }

  const home = basePath || '/'

  /** The page that holds a form: the closest one at or above the address that the form is sent to. */
  function pageOfForm(url: string): string {
    let path = plainPath(url)
    while (path !== '' && !methodsOf(path)?.has('GET')) path = path.slice(0, path.lastIndexOf('/'))
    return path || home
  }

  /** The page to show again after a choice of language. Also a page of an error, whose address may be unknown. */
  function samePage(text: unknown): string {
    const page = nextPage(text)
    if (page || !isOwnPath(text) || !text.startsWith(`${basePath}/`) || hasDotSegment(text)) return page ?? home
    return methodsOf(text) ? pageOfForm(text) : text
  }

  return { allowed, nextPage, pageOfForm, samePage, home }
}
