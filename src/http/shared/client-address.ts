import { isIP, isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { isLoopbackHost } from './headers.ts'

export interface AddressOptions {
  /** Lower case; only set behind a proxy that sets it. */
  addressHeader: string | undefined
  xffDepth: number
}

function groupsOf(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [left, right] = [numbers(head), numbers(tail ?? '')]
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right]
}

/** IPv4 mapped to IPv6 counts as IPv4. IPv6 counts by its /64, which belongs to one host (contract 7.10). */
function countedAddress(address: string): string {
  const plain = address.replace(/%.*$/, '')
  if (isIPv4(plain)) return plain
  const groups = groupsOf(plain)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const bytes = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff])
    return bytes.join('.')
  }
  const prefix = groups.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}

function fromHeader(request: FastifyRequest, { addressHeader, xffDepth }: AddressOptions): string | undefined {
  if (addressHeader === undefined) return undefined
  const value = request.headers[addressHeader]
  const text = Array.isArray(value) ? value.join(',') : value
  const found = addressHeader === 'x-forwarded-for' ? text?.split(',').at(-xffDepth) : text
  const address = found?.trim()
  return address && isIP(address) ? address : undefined
}

const isForwardingHeader = (name: string) => name === 'forwarded' || name === 'via' || name.startsWith('x-forwarded-')

/** A loopback peer is not enough: it may be a proxy, or a page whose host name points to this machine (DNS rebinding). */
export function isLoopbackRequest(request: FastifyRequest, options: AddressOptions & { baseUrl: string }): boolean {
  const hosts = [request.headers.host, new URL(options.baseUrl).host]
  if (options.addressHeader !== undefined || !hosts.every(isLoopbackHost)) return false
  if (Object.keys(request.headers).some(isForwardingHeader)) return false
  const peer = request.socket.remoteAddress ?? ''
  return peer === '::1' || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(peer)
}

export const clientAddress = (request: FastifyRequest, options: AddressOptions): string =>
  countedAddress(fromHeader(request, options) || request.socket.remoteAddress || '0.0.0.0')
