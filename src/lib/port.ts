import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { StartupError } from './startup-error.ts'

export async function freePort(host: string): Promise<number> {
  const probe = createServer().listen(0, host)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

const LISTEN_ERRORS: Record<string, string> = {
  EADDRINUSE: 'is already in use',
  EACCES: 'needs more privileges than this user has',
  EADDRNOTAVAIL: 'is not available: this machine does not have that address',
  ENOTFOUND: 'is not available: the host is unknown',
}

export async function explainListenErrors<Result>(
  host: string,
  port: number,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    const reason = LISTEN_ERRORS[code] ?? `is not available (${message})`
    throw new StartupError(`Port ${port} on ${host} ${reason}. Set another PORT or HOST.`, { cause })
  }
}
