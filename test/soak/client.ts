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

/** Sends requests over kept connections, and counts what came back since it was last asked. */
export function countingClient(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  let times: number[] = []
  /** Answers with a status that nobody expects, by what was asked. */
  const wrong = new Map<string, number>()
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

  async function ask(wanted: Request): Promise<Answer> {
    const began = performance.now()
    const { status, ...answer } = await send(wanted)
    times.push(performance.now() - began)
    if (status >= 500) failures++
    if (status !== (wanted.expect ?? 200)) {
      const what = `${wanted.method ?? 'GET'} ${wanted.path.replace(/\d+/g, 'N')} answered ${status}`
      wrong.set(what, (wrong.get(what) ?? 0) + 1)
    }
    return answer
  }

  function takeTimes(): number[] {
    const taken = times
    times = []
    return taken
  }
  /** Ends every connection, so that what the server still holds is its own. */
  const hangUp = () => agent.destroy()
  return { ask, takeTimes, hangUp, wrong, failures: () => failures }
}

export type Ask = ReturnType<typeof countingClient>['ask']
