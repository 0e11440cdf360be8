import type { FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For pages that an application opens in a popup. */
    keepsOpener?: true
  }
}

interface Policy {
  formTargets?: readonly string[]
  scripts?: readonly string[]
  more?: readonly string[]
}

const policy = ({ formTargets = [], scripts = [], more = [] }: Policy = {}) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    ["script-src 'self'", ...scripts].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...more,
  ].join('; ')

/** Contract 7.11. */
export function setPageHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'content-security-policy': policy(),
  })
  if (!request.routeOptions.config?.keepsOpener) reply.header('cross-origin-opener-policy', 'same-origin')
}

/** The CSP source of an address. CSP cannot express IPv6 addresses. */
export function formTarget(address: string): string {
  const { protocol, host } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return protocol
  return host.startsWith('[') ? protocol : `${protocol}//${host}`
}

/** Browsers apply form-action also to the redirect after a form. */
export function allowFormTarget(reply: FastifyReply, source: string): void {
  reply.header('content-security-policy', policy({ formTargets: [source] }))
}

export function allowSources(reply: FastifyReply, ...names: ('worker' | 'manifest')[]): void {
  const more = names.map((name) => `${name}-src 'self'`)
  reply.header('content-security-policy', policy({ more }))
}

/** For pages with the barcode reader, which is compiled from WebAssembly. */
export function allowWebAssembly(reply: FastifyReply): void {
  reply.header('content-security-policy', policy({ scripts: ["'wasm-unsafe-eval'"] }))
}
