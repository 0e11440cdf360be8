import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Refusal } from './refusal.ts'

/** A port that is free now: the public address must be known before the server is built. */
export async function freePort(host: string): Promise<number> {
  const probe = createServer().listen(0, host)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

const LISTEN_FAULTS: Record<string, string> = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'cannot be used, since this machine does not have that address',
  ENOTFOUND: 'cannot be used, since that host is not known',
}

/** Says in words why a place to listen cannot be had. */
export async function refusing<Result>(host: string, port: number, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    const reason = LISTEN_FAULTS[code] ?? `cannot be used (${message})`
    throw new Refusal(`Port ${port} on ${host} ${reason}: choose another PORT or HOST.`, { cause })
  }
}
