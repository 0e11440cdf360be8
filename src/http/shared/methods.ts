import type { FastifyInstance } from 'fastify'

export interface RouteName {
  method: string
  path: string
}

export const isReading = (method: string) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

/** Registers a 405 for all other methods. The first allowed one is recommended. */
export function rejectOtherMethods(
  app: FastifyInstance,
  url: string,
  allowed: string[],
  body: (text: string) => object,
) {
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method)),
    url,
    exposeHeadRoute: false,
    // In the hook, so that no body is read first.
    onRequest: async ({ method }, reply) => {
      reply.code(405).header('allow', allowed.join(', '))
      return reply.send(body(`${method} is not supported here. Use ${allowed[0]}.`))
    },
    handler: () => undefined,
  })
}

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

/** Dot segments are not resolved, and never match an `{id}` (contract 1.1). */
export const hasDotSegment = (url: string) => /^[^?]*\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(url)

/** `*` and absolute URLs get a leading slash, so that the router treats them as unknown paths. */
export const withoutDoubledSlashes = (url: string): string =>
  url.replace(/^[^?]*/, (path) => `/${path}`.replace(/\/{2,}/g, '/'))

/** Doubled slashes and one trailing slash are ignored (contract 1.1). */
export const plainPath = (url: string) =>
  url
    .replace(/\?.*$/s, '')
    .replace(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')

/** Finds the methods of a path, so that a wrong one is 405 and not 404. */
export function methodGuard(routes: readonly RouteName[]) {
  const paths = knownPaths(routes)
  const methodsOf = (path: string) =>
    hasDotSegment(path) ? undefined : paths.find(({ pattern }) => pattern.test(path))?.methods
  return {
    methodsOf,
    allowed(path: string): string | undefined {
      const methods = methodsOf(path)
      return methods && [...methods, 'OPTIONS'].join(', ')
    },
    /** Literal paths that the router would match as an `{id}` for other methods. */
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
