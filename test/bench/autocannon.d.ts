/** The part of autocannon that is used; the package brings no types. */
declare module 'autocannon' {
  interface Options {
    url: string
    headers: Record<string, string>
    connections: number
    duration: number
    overallRate?: number
  }
  interface Result {
    requests: { total: number; average: number }
    latency: { p50: number; p99: number }
    errors: number
    statusCodeStats: Record<string, { count: number }>
  }
  const autocannon: (options: Options) => Promise<Result>
  export = autocannon
}
