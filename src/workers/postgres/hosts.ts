const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']
/** Supported by the driver only; libpq calls this `require`. */
const NO_VERIFY = 'no-verify'

/** Gives sslmode the same meaning as in psql and pg_dump. */
function setSslMode(settings: URLSearchParams): void {
  const mode = settings.get('sslmode')
  if (mode === null || mode === NO_VERIFY) return
  if (!SSL_MODES.includes(mode)) throw new Error(`sslmode must be one of ${SSL_MODES.join(', ')}`)
  if (mode === 'allow') settings.set('sslmode', 'prefer')
  settings.set('uselibpqcompat', 'true')
}

/** Splits `postgres://h1:5432,h2:5432/paxlog` into one URL per host, because the driver supports only one. */
export function splitHosts(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/is.exec(url) ?? []
  if (!start) return [url]
  // The connection always looks for the primary.
  const [path = '', query] = rest.split('?', 2)
  const settings = new URLSearchParams(query)
  settings.delete('target_session_attrs')
  setSslMode(settings)
  const end = settings.size > 0 ? `${path}?${settings}` : path
  return hosts.split(',').map((host) => `${start}${host}${end}`)
}

export const withoutTls = (url: string): string | undefined =>
  /[?&]sslmode=prefer(&|$)/.test(url) ? url.replace('sslmode=prefer', 'sslmode=disable') : undefined
