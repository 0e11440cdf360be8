/** The part of autocannon that is used; the package brings no types. */
declare module 'autocannon' {
  interface Request {
    method: string
    path: string
    headers: Record<string, string>
    body?: string
  }
  interface Options extends Partial<Request> {
    url: string
    connections: number
    duration: number
    requests?: Request[]
    overallRate?: number
    workers?: number
  }
  interface Result {
    requests: { total: number; average: number }
    latency: { p50: number; p99: number }
    errors: number
    duration: number
    statusCodeStats: Record<string, { count: number }>
  }
  function autocannon(options: Options): Promise<Result>
  namespace autocannon {
    export type { Request }
  }
  export = autocannon
}
