import { isIP, isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'

export interface AddressOptions {
  /** Lower case; only set behind a proxy that sets it. */
  addressHeader: string | undefined
  xffDepth: number
}

/** The four groups of an IPv6 address that name its network; one host owns all addresses below them. */
function networkOf(address: string): string {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  const groups = [...left, ...zeros, ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** IPv4 as it is, IPv6 by its /64, IPv4 inside IPv6 as IPv4 (contract 7.10). */
function countedAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  const plain = address.replace(/%.*$/, '')
  return isIPv4(plain) ? plain : networkOf(plain)
}

function fromHeader(request: FastifyRequest, { addressHeader, xffDepth }: AddressOptions): string | undefined {
  if (addressHeader === undefined) return undefined
  const value = request.headers[addressHeader]
  const text = Array.isArray(value) ? value.join(',') : value
  const found = addressHeader === 'x-forwarded-for' ? text?.split(',').at(-xffDepth) : text
  const address = found?.trim()
  return address && isIP(address) ? address : undefined
}

/** Under which name the requests of a client are counted. */
export const clientAddress = (request: FastifyRequest, options: AddressOptions): string =>
  countedAddress(fromHeader(request, options) ?? request.socket.remoteAddress ?? '0.0.0.0')
