/** Started by identity-provider.ts: a certified OpenID provider with one client on a free port. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

const { CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, PEOPLE_FILE } = process.env as Record<string, string>

const peopleNow = () => JSON.parse(readFileSync(PEOPLE_FILE!, 'utf8')) as Record<string, Record<string, unknown>>

// Suppress warnings about settings that are only suitable for tests.
console.warn = () => undefined
console.info = () => undefined

const server = createServer((request, response) => void answer(request, response))
let answer: ReturnType<Provider['callback']>

server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID!, client_secret: CLIENT_SECRET!, redirect_uris: [REDIRECT_URI!] }],
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: ['email'], groups: ['groups'] },
    scopes: ['openid', 'profile', 'email', 'groups'],
    pkce: { required: () => true },
    cookies: { keys: ['a key of the tests'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ preferred_username: id, ...peopleNow()[id], sub: id }),
    }),
  })
  answer = provider.callback()
  process.stdout.write(`${issuer}\n`)
})
