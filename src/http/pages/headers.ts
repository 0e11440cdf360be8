import type { FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on pages that an application may open in a window of its own and still get its answer from. */
    keepsOpener?: true
  }
}

const policy = (formTargets: readonly string[], more: readonly string[] = []) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...more,
  ].join('; ')

const PLAIN_POLICY = policy([])

/** What every page carries (contract 7.11). */
export function setPageHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'content-security-policy': PLAIN_POLICY,
  })
  if (!request.routeOptions.config?.keepsOpener) reply.header('cross-origin-opener-policy', 'same-origin')
}

/** What CSP needs to let the redirect after the form arrive; it cannot name an IPv6 address. */
export function formTarget(address: string): string {
  const { protocol, host } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return protocol
  return host.startsWith('[') ? protocol : `${protocol}//${host}`
}

/** Browsers apply form-action to the redirect after a form too, so a page whose form ends elsewhere names the place. */
export function allowFormTarget(reply: FastifyReply, source: string): void {
  reply.header('content-security-policy', policy([source]))
}

const beyond = {
  /** The map draws beside the page, in a program of ours. */
  worker: "worker-src 'self'",
  /** A phone that keeps the page asks how. */
  manifest: "manifest-src 'self'",
} as const

/** For the few pages that need more than text, pictures and forms. */
export function alsoAllow(reply: FastifyReply, ...names: (keyof typeof beyond)[]): void {
  reply.header(
    'content-security-policy',
    policy(
      [],
      names.map((name) => beyond[name]),
    ),
  )
}
