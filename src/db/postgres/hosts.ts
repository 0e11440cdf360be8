const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']
/** Of the driver alone; to libpq this is `require`. */
const NO_VERIFY = 'no-verify'

/** What the URL says of encryption means here what it means to psql and pg_dump, which are given the same one. */
function setEncryption(settings: URLSearchParams): void {
  const mode = settings.get('sslmode')
  if (mode === null || mode === NO_VERIFY) return
  if (!SSL_MODES.includes(mode)) throw new Error(`sslmode is none of ${SSL_MODES.join(', ')}`)
  if (mode === 'allow') settings.set('sslmode', 'prefer')
  settings.set('uselibpqcompat', 'true')
}

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
  setEncryption(settings)
  const end = settings.size > 0 ? `${path}?${settings}` : path
  return hosts.split(',').map((host) => `${start}${host}${end}`)
}

/** The same in clear, where encryption is wanted only if there is any. */
export const inClear = (url: string): string | undefined =>
  /[?&]sslmode=prefer(&|$)/.test(url) ? url.replace('sslmode=prefer', 'sslmode=disable') : undefined
