import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backUpTo } from '../../src/db/backup.ts'
import { browserSession, csrfIn } from '../support/browser-session.ts'
import { oauthClient, pkce } from '../support/oauth-client.ts'
import { paxlog } from '../support/paxlog.ts'

const PASSWORD = 'correct horse battery staple'
const NEW_PASSWORD = 'another horse, other staple'

test('L1 A30 N14: no secret that was ever issued or sent is in the log, the database, its log or a backup', async () => {
  const lines: string[] = []
  const app = await paxlog({ log: (line) => void lines.push(line) })
  const secrets: string[] = [PASSWORD, NEW_PASSWORD]
  const keep = <Secret extends string>(secret: Secret): Secret => {
    expect(secret).toBeTruthy()
    secrets.push(secret)
    return secret
  }

  // A person: set-up, sign-in, a key, a new password.
  const browser = browserSession(app.app)
  const keepCookies = () => {
    for (const value of browser.jar.values()) keep(value)
  }
  await browser.submit('/setup', '/setup', { username: 'mira', displayName: 'Mira', password: PASSWORD })
  keepCookies()
  await browser.signIn('mira', 'a wrong password of mira')
  secrets.push('a wrong password of mira')
  const page = await browser.get('/settings/security')
  keep(csrfIn(page.html))
  const created = await browser.submit('/settings/security', '/settings/security/keys', {
    name: 'laptop',
    scope: ['profile.read', 'users.create', 'flight.read.own'],
  })
  const key = keep(/pxl_[0-9A-Za-z]{43}/.exec(created.html)![0])
  await browser.submit('/settings/security', '/settings/security/password', {
    current: PASSWORD,
    password: NEW_PASSWORD,
  })
  keepCookies()

  // Programs: good and bad calls with the key, an account with a password, mistakes that put secrets where they do not belong.
  const caller = app.as(key)
  await caller.get('/me')
  await caller.get(`/flights?access_token=${key}`)
  await caller.post('/users', { username: 'bob', password: keep('the password of bob') })
  await caller.post('/users', { username: '!', password: keep('a refused password') })
  await app.as(keep('pxl_0000000000000000000000000000000000000000000')).get('/me')

  // An application: everything from the registration to the revocation.
  const client = await oauthClient(app, { token_endpoint_auth_method: 'client_secret_post' })
  keep(client.secret!)
  const owner = { id: app.services.users.owner()!.id, username: 'mira', key }
  const { verifier, challenge } = pkce()
  keep(verifier)
  const code = keep(client.code(owner, challenge, { scopes: ['profile.read'] }))
  const { body: tokens } = await client.exchange(code, verifier)
  keep(tokens.access_token)
  keep(tokens.refresh_token)
  await app.as(tokens.access_token).get('/me')
  const { body: renewed } = await client.refresh(tokens.refresh_token)
  keep(renewed.access_token)
  keep(renewed.refresh_token)
  await client.refresh(tokens.refresh_token)
  await client.revoke(renewed.access_token)
  await client.exchange(code, verifier)

  backUpTo(app.db, join(app.dataDir, 'copy.db'))
  const places = new Map<string, string>([['the log', lines.join('')]])
  for (const file of readdirSync(app.dataDir)) places.set(file, readFileSync(join(app.dataDir, file), 'latin1'))
  expect(lines.length).toBeGreaterThan(20)
  expect([...places.keys()]).toEqual(expect.arrayContaining(['the log', 'paxlog.db', 'paxlog.db-wal', 'copy.db']))
  const found = secrets.flatMap((secret) =>
    [...places].filter(([, text]) => text.includes(secret)).map(([place]) => `${secret.slice(0, 8)}… is in ${place}`),
  )
  expect(found).toEqual([])
})
