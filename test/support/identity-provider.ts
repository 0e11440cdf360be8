import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProviderSettings } from '../../src/domain/identities/contract.ts'

const CLIENT = { id: 'paxlog', secret: 'the secret of the client' }

type People = Record<string, Record<string, unknown>>

/** Starts an OpenID provider in a separate process. It accepts any login name. */
export async function startIdentityProvider(redirectUri: string, people: People = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'paxlog-provider-'))
  const file = join(folder, 'people.json')
  /** Sets the claims of users by login name. */
  const setPeople = (next: People) => writeFileSync(file, JSON.stringify(next))
  setPeople(people)
  const program = join(import.meta.dirname, 'identity-provider-process.ts')
  const child = spawn(process.execPath, [program], {
    env: { CLIENT_ID: CLIENT.id, CLIENT_SECRET: CLIENT.secret, REDIRECT_URI: redirectUri, PEOPLE_FILE: file },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const issuer = line.toString().trim()

  /** Follows the pages of the provider until the redirect to Paxlog. */
  async function signIn(address: string, login: string): Promise<string> {
    const jar = new Map<string, string>()
    let url = address
    let form: Record<string, string> | undefined
    for (let steps = 0; steps < 20; steps++) {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      })
      for (const cookie of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
        jar.set(name!, value!)
      }
      form = undefined
      const location = response.headers.get('location')
      if (location?.startsWith(redirectUri)) return location
      if (location) {
        url = new URL(location, url).href
        continue
      }
      const html = await response.text()
      const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1]
      const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1]
      if (!action || !prompt) throw new Error(`The provider returned ${response.status}: ${html}`)
      url = new URL(action, url).href
      form = prompt === 'login' ? { prompt, login, password: 'anything' } : { prompt }
    }
    throw new Error('The provider did not redirect to Paxlog.')
  }

  async function stop(): Promise<void> {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }

  return { issuer, setPeople, signIn, stop }
}

/** Settings for a test provider. */
export const settingsFor = (issuer: string, more: Partial<ProviderSettings> = {}): ProviderSettings => ({
  issuer,
  clientId: CLIENT.id,
  clientSecret: CLIENT.secret,
  name: 'Home',
  scopes: 'openid profile',
  signUp: false,
  linkByUsername: false,
  roleClaim: undefined,
  ...more,
})
