import { loopbackNames } from '../../lib/loopback.ts'

const isLoopback = (hostname: string) => loopbackNames.includes(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/**
 * Tells whether a `Host` header names this instance. A page that makes its own name point here (DNS rebinding) is
 * given away by that name; its `Origin` says nothing, since any may call (contract 9.1).
 */
export function hostCheck(baseUrl: string): (host: string | undefined) => boolean {
  const { protocol, hostname, port } = new URL(baseUrl)
  const usual = protocol === 'https:' ? '443' : '80'
  const names = isLoopback(hostname) ? [hostname, ...loopbackNames] : [hostname]
  const accepted = new Set(names.map((name) => `${name}:${port || usual}`))
  return (host = '') => {
    const [, name, sent] = /^(\[[\da-f:.]+\]|[^\s:/?#@\\[\]]+)(?::(\d*))?$/.exec(host.toLowerCase()) ?? []
    return accepted.has(`${name}:${sent || usual}`)
  }
}
