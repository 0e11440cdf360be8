import { Agent, request } from 'node:http'

export interface Request {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
  expect?: number
}

export interface Answer {
  text: string
  cookie: string | undefined
}

/** A keep-alive client that records response times and unexpected statuses. */
export function countingClient(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  let times: number[] = []
  /** Counts of unexpected statuses by request. */
  const unexpected = new Map<string, number>()
  let failures = 0

  function send({ method = 'GET', path, headers = {}, body }: Request): Promise<Answer & { status: number }> {
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, agent, method, path, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const cookie = response.headers['set-cookie']?.[0]?.split(';')[0]
          resolve({ status: response.statusCode!, text: Buffer.concat(chunks).toString(), cookie })
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  async function ask(options: Request): Promise<Answer> {
    const began = performance.now()
    const { status, ...answer } = await send(options)
    times.push(performance.now() - began)
    if (status >= 500) failures++
    if (status !== (options.expect ?? 200)) {
      const what = `${options.method ?? 'GET'} ${options.path.replace(/\d+/g, 'N')} returned ${status}`
      unexpected.set(what, (unexpected.get(what) ?? 0) + 1)
    }
    return answer
  }

  function takeTimes(): number[] {
    const taken = times
    times = []
    return taken
  }
  /** Closes all connections, so that remaining descriptors belong to the server. */
  const closeAll = () => agent.destroy()
  return { ask, takeTimes, closeAll, unexpected, failures: () => failures }
}

export type Ask = ReturnType<typeof countingClient>['ask']
