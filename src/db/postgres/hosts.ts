/**
 * A URL may name several hosts, of which one at a time takes writes: `postgres://h1:5432,h2:5432/paxlog`. The driver
 * knows one host, so each gets a URL of its own.
 */
export function urlsOf(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/is.exec(url) ?? []
  if (!start) return [url]
  // Every host is asked whether it takes writes, so what libpq calls target_session_attrs is always the case.
  const [path = '', query] = rest.split('?', 2)
  const settings = new URLSearchParams(query)
  settings.delete('target_session_attrs')
  const end = settings.size > 0 ? `${path}?${settings}` : path
  return hosts.split(',').map((host) => `${start}${host}${end}`)
}
