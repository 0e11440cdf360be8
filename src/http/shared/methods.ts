/** Method and path of a route in OpenAPI's notation, such as `PUT /flights/{id}`. */
export interface RouteName {
  method: string
  path: string
}

/** Methods that change nothing. */
export const isReading = (method: string) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

interface KnownPath {
  path: string
  pattern: RegExp
  methods: Set<string>
}

const escaped = (text: string) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&')

function knownPaths(routes: readonly RouteName[]): KnownPath[] {
  const paths = new Map<string, KnownPath>()
  for (const { method, path } of routes) {
    const pattern = new RegExp(`^${escaped(path).replace(/\{\w+\}/g, '[^/]+')}$`)
    const known = paths.get(path) ?? { path, pattern, methods: new Set() }
    known.methods.add(method)
    if (method === 'GET') known.methods.add('HEAD')
    paths.set(path, known)
  }
  // Literal paths first: `/flights/export` is never an `{id}`.
  return [...paths.values()].sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
}

/** Dot segments are not resolved: such a path is unknown, also where an `{id}` would take the dots (contract 1.1). */
export const hasDotSegment = (url: string) => /^[^?]*\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(url)

/**
 * The same address with single slashes in its path; the query stays as it is. What is no path, such as `*` or an
 * address with a host, gets a slash before it: the router would take it for something else than the unknown that it is.
 */
export function withoutDoubledSlashes(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (!path.startsWith('/')) return withoutDoubledSlashes(`/${url}`)
  return path.includes('//') ? path.replace(/\/{2,}/g, '/') + url.slice(path.length) : url
}

/** Doubled slashes and one trailing slash are ignored (contract 1.1). */
export const plainPath = (url: string) =>
  url
    .replace(/\?.*$/s, '')
    .replace(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')

/** Tells which methods a path has, so that a wrong one is 405 and not 404. */
export function methodGuard(routes: readonly RouteName[]) {
  const paths = knownPaths(routes)
  const methodsOf = (path: string) =>
    hasDotSegment(path) ? undefined : paths.find(({ pattern }) => pattern.test(path))?.methods
  return {
    methodsOf,
    /** The value of `Allow`, or undefined for an unknown path. */
    allowed(path: string): string | undefined {
      const methods = methodsOf(path)
      return methods && [...methods, 'OPTIONS'].join(', ')
    },
    /** Literal paths that the router would take for an `{id}` when the method is another one's. */
    shadowed(): RouteName[] {
      const literal = paths.filter(({ path }) => !path.includes('{'))
      const open = paths.filter(({ path }) => path.includes('{'))
      return literal.flatMap(({ path, methods }) =>
        open
          .filter(({ pattern }) => pattern.test(path))
          .flatMap((other) => [...other.methods].filter((method) => !methods.has(method)))
          .map((method) => ({ method, path })),
      )
    },
  }
}
