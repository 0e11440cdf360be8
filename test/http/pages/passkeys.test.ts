import { describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { write } from '../../../src/db/write.ts'
import { relyingPartyOf } from '../../../src/domain/passkeys/contract.ts'
import { authenticator, cbor, type Deviations } from '../../support/authenticator.ts'
import { browserSession } from '../../support/browser-session.ts'
import { PASSWORD, signedIn } from '../../support/pages.ts'
import {
  addPasskey,
  creationOptions,
  otherBrowser,
  PASSKEYS,
  SECURITY_PAGE,
  SIGN_IN,
  sendJson,
  sendResponse,
  signInOptions,
  signInWith,
  withPasskey,
} from '../../support/passkeys.ts'
import { makers } from '../../support/paxlog.ts'

const START = Date.parse('2026-05-01T12:00:00Z')
let now = START
/** One function, so that tests can share an app. */
const clock = () => now

type Instance = Awaited<ReturnType<typeof signedIn>>

const kindsOf = ({ services }: Pick<Instance, 'services'>, prefix = '') =>
  [...services.activity.history(0)].filter(({ kind }) => kind.startsWith(prefix)).map(({ summary }) => summary)

const countOf = ({ db }: Pick<Instance, 'db'>) => db.$client.prepare('select count(*) from passkeys').pluck().get()

describe('passkeys', () => {
  test.each(['ES256', 'EdDSA', 'RS256'] as const)('W1: sign in with a key of %s', async (algorithm) => {
    const instance = await withPasskey({}, authenticator({ algorithm }))
    const { key, visitor, browser } = instance
    const answer = await signInWith(visitor, key, `${SECURITY_PAGE}?a=b`)
    expect([answer.status, answer.body]).toEqual([200, { next: `${SECURITY_PAGE}?a=b` }])
    expect((await visitor.get('/')).status).toBe(200)
    expect((await browser.get(SECURITY_PAGE)).html).toMatch(/<h3>Phone<\/h3>.*?last used/s)
    expect(kindsOf(instance).slice(-2)).toEqual(['mira added the passkey “Phone”.', 'mira signed in with a passkey.'])
  })

  test('W1: options require a discoverable credential with user verification and no attestation', async () => {
    const instance = await withPasskey()
    const { browser, owner, key, visitor } = instance
    const options = await creationOptions(browser)
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Paxlog' },
      user: { id: Buffer.from(owner.id).toString('base64url'), name: 'mira' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: key.credentialId.toString('base64url'), type: 'public-key' }],
    })
    expect(options.pubKeyCredParams.map(({ alg }: { alg: number }) => alg)).toEqual([-8, -7, -257])
    const request = await signInOptions(visitor)
    expect(request).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] })
    expect(request.challenge).toMatch(/^[\w-]{43}$/)
  })

  test('next leads only to pages of this instance', async () => {
    const { key, visitor } = await withPasskey()
    expect((await signInWith(visitor, key, '//evil.example')).body).toEqual({ next: '/' })
  })

  test('are offered only on https with a domain name and on http://localhost', async () => {
    const hosts = ['https://fly.example.org/log', 'https://fly.example.org:8443', 'http://localhost:3000']
    expect(hosts.map((url) => relyingPartyOf(url)?.id)).toEqual(['fly.example.org', 'fly.example.org', 'localhost'])
    for (const url of ['http://fly.example.org', 'https://192.0.2.1', 'https://[::1]', 'http://127.0.0.1:3000', '']) {
      expect(relyingPartyOf(url)).toBeUndefined()
    }
    const { browser, app } = await signedIn({ baseUrl: 'http://127.0.0.1:3000' })
    expect((await browser.get(SECURITY_PAGE)).html).not.toContain('asskey')
    const visitor = browserSession(app)
    const { html } = await visitor.get('/login')
    expect([html.includes('asskey'), html.includes('webauthn')]).toEqual([false, false])
    expect((await sendJson(visitor, '/login', `${SIGN_IN}/options`, {})).status).toBe(404)
    expect((await sendJson(browser, SECURITY_PAGE, `${PASSKEYS}/options`, {})).status).toBe(404)
  })

  test('the sign-in page hides the button until its script runs', async () => {
    const { app } = await signedIn()
    const { html } = await browserSession(app).get('/login')
    expect(html).toContain('autocomplete="username webauthn"')
    expect(html).toMatch(/<div class="passkey-sign-in"[^>]* hidden>.*?Sign in with a passkey/s)
  })

  test('W2: a response is accepted once', async () => {
    const { key, visitor, app } = await withPasskey()
    const response = key.get(await signInOptions(visitor))
    expect((await sendResponse(visitor, response)).status).toBe(200)
    const again = browserSession(app, { address: '203.0.113.9' })
    again.jar.set('paxlog-csrf', visitor.jar.get('paxlog-csrf')!)
    const replay = await sendResponse(again, response)
    expect([replay.status, replay.body.error.code, again.jar.has('paxlog')]).toEqual([400, 'bad_request', false])
  })

  test('W3: a challenge is bound to its browser and purpose, and a failed attempt uses it up', async () => {
    const { key, visitor, app, browser } = await withPasskey()
    const other = otherBrowser(app)
    const response = key.get(await signInOptions(visitor))
    expect((await sendResponse(other, response)).status).toBe(400)
    expect((await sendResponse(visitor, response)).status).toBe(400)
    const confirmation = await sendJson(browser, SECURITY_PAGE, `${PASSKEYS}/options`, { purpose: 'delete' })
    expect(confirmation.body.allowCredentials).toHaveLength(1)
    expect((await sendResponse(visitor, key.get(confirmation.body))).status).toBe(400)
    const spoiled = key.get(await signInOptions(visitor))
    const { signature: _, ...incomplete } = spoiled.response
    expect((await sendResponse(visitor, { ...spoiled, response: incomplete })).status).toBe(400)
    expect((await sendResponse(visitor, spoiled)).status).toBe(400)
    expect((await signInWith(visitor, key)).status).toBe(200)
  })

  test('W4: a challenge expires after five minutes', async () => {
    const { key, visitor } = await withPasskey({ now: clock })
    const [first, second] = [await signInOptions(visitor), await signInOptions(visitor)]
    now += 299_999
    expect((await sendResponse(visitor, key.get(first))).status).toBe(200)
    visitor.jar.delete('paxlog')
    now += 1
    expect((await sendResponse(visitor, key.get(second))).status).toBe(400)
  })

  const deviations: Deviations[] = [
    { origin: 'https://evil.example' },
    { origin: 'http://localhost:3001' },
    { rpId: 'evil.example' },
    { crossOrigin: true },
    { isVerified: false },
    { isPresent: false },
    { challenge: 'A'.repeat(43) },
  ]

  test('W5: sign-in refuses another origin, host, type, frame or key, and a missing verification', async () => {
    const instance = await withPasskey()
    const { key, app } = instance
    const others: Deviations[] = [{ type: 'webauthn.create' }, { credentialId: Buffer.alloc(32) }]
    for (const deviation of [...deviations, ...others]) {
      const visitor = otherBrowser(app)
      const answer = await sendResponse(visitor, key.get(await signInOptions(visitor), deviation))
      expect([answer.status, visitor.jar.has('paxlog')], JSON.stringify(deviation)).toEqual([400, false])
    }
    const visitor = otherBrowser(app)
    const forged = authenticator().get(await signInOptions(visitor), { credentialId: key.credentialId })
    forged.response.userHandle = Buffer.from(instance.owner.id).toString('base64url')
    expect((await sendResponse(visitor, forged)).status).toBe(400)
    const failures = kindsOf(instance, 'sign_in.failed')
    expect(failures.at(-1)).toBe('Someone failed to sign in as “mira”.')
    expect(failures).toContain('Someone failed to sign in as “unknown passkey”.')
    expect((await signInWith(otherBrowser(app), key)).status).toBe(200)
  })

  test('W5: adding refuses another origin, host, type, frame or algorithm, and a missing verification', async () => {
    const instance = await withPasskey({ now: clock })
    const { browser } = instance
    const others: Deviations[] = [
      { type: 'webauthn.get' },
      {
        publicKey: cbor(
          new Map<number, number | Buffer>([
            [1, 2],
            [3, -35],
            [-1, 2],
            [-2, Buffer.alloc(48, 1)],
            [-3, Buffer.alloc(48, 2)],
          ]),
        ),
      },
      {
        publicKey: cbor(
          new Map<number, number | Buffer>([
            [1, 3],
            [3, -257],
            [-1, Buffer.alloc(2000, 255)],
            [-2, Buffer.from([1, 0, 1])],
          ]),
        ),
      },
      { attestation: { format: 'none', statement: new Map([['sig', Buffer.alloc(8)]]) } },
      { attestation: { format: 'packed', statement: new Map([['x5c', Buffer.alloc(8)]]) } },
      { attestation: { format: 'fido-u2f', statement: new Map() } },
    ]
    for (const deviation of [...deviations, ...others]) {
      now += 30_000
      const response = authenticator().create(await creationOptions(browser), deviation)
      const answer = await sendJson(browser, SECURITY_PAGE, PASSKEYS, { name: 'Other', response })
      expect([answer.status, answer.body.error?.code], JSON.stringify(deviation)).toEqual([400, 'bad_request'])
    }
    expect(countOf(instance)).toBe(1)
    now += 60_000
    expect((await addPasskey(browser, authenticator(), 'Other')).status).toBe(200)
  })

  test('W6: a response with the handle of another user is refused', async () => {
    const instance = await withPasskey()
    const { key, visitor, user } = instance
    const noor = Buffer.from(user({ username: 'noor' }).id).toString('base64url')
    for (const userHandle of [noor, '', 'AA']) {
      const response = key.get(await signInOptions(visitor), { userHandle })
      expect((await sendResponse(visitor, response)).status).toBe(400)
    }
    const { response, ...rest } = key.get(await signInOptions(visitor))
    const { userHandle: _, ...withoutHandle } = response
    expect((await sendResponse(visitor, { ...rest, response: withoutHandle })).status).toBe(400)
    expect((await signInWith(visitor, key)).status).toBe(200)
  })

  test('W7: a counter that does not grow is refused and recorded, and the passkey stays', async () => {
    const instance = await withPasskey()
    const { key, app, browser } = instance
    const signInAt = async (counter: number) => {
      const visitor = otherBrowser(app)
      return (await sendResponse(visitor, key.get(await signInOptions(visitor), { counter }))).status
    }
    expect(await signInAt(7)).toBe(200)
    expect([await signInAt(7), await signInAt(6), await signInAt(0)]).toEqual([400, 400, 400])
    expect(kindsOf(instance, 'passkey.refused')).toEqual(
      Array(3).fill(
        'Someone was refused with the passkey “Phone”, because its counter went backwards and it may be a copy.',
      ),
    )
    expect((await browser.get('/settings/activity')).html).toContain('was refused with the passkey “Phone”')
    // A counter that is not signed is not recorded.
    const visitor = otherBrowser(app)
    const forged = key.get(await signInOptions(visitor), { counter: 1 })
    forged.response.signature = Buffer.alloc(70, 1).toString('base64url')
    await sendResponse(visitor, forged)
    expect(kindsOf(instance, 'passkey.refused')).toHaveLength(3)
    expect(await signInAt(8)).toBe(200)
  })

  test('an authenticator that does not count can sign in again and again', async () => {
    const { key, app, browser } = await signedIn().then(async (instance) => {
      const key = authenticator()
      const response = key.create(await creationOptions(instance.browser), { counter: 0 })
      await sendJson(instance.browser, SECURITY_PAGE, PASSKEYS, { name: 'Phone', response })
      return { ...instance, key }
    })
    for (let time = 0; time < 2; time++) {
      const visitor = otherBrowser(app)
      const response = key.get(await signInOptions(visitor), { counter: 0 })
      expect((await sendResponse(visitor, response)).status).toBe(200)
    }
    expect((await browser.get(SECURITY_PAGE)).html).toContain('last used')
  })

  test('W8: hostile bodies are refused without an internal error', async () => {
    const { key, app, browser, visitor } = await withPasskey({ now: clock })
    const good = key.get(await signInOptions(visitor))
    const created = key.create(await creationOptions(browser))
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
    const texts = [
      deep,
      '{"response":',
      'null',
      '[]',
      '"text"',
      '7',
      '{"__proto__":{"a":1}}',
      '{}',
      'x'.repeat(100_000),
    ]
    const strange = [null, 7, '', [], {}, 'AAAA', '=', '\u0000', 'A'.repeat(60_000), { length: 5 }, Array(50).fill('A')]
    const variants = (response: Record<string, unknown>) =>
      strange.flatMap((value) => [
        value,
        { ...response, id: value },
        { ...response, rawId: value, type: value, response: value },
        ...Object.keys(response.response as object).map((name) => ({
          ...response,
          response: { ...(response.response as object), [name]: value },
        })),
      ])
    const statuses = new Set<number>()
    const token = /name="csrf" value="([\w-]+)"/.exec((await visitor.get('/login')).html)![1]!
    const own = /name="csrf" value="([\w-]+)"/.exec((await browser.get(SECURITY_PAGE)).html)![1]!
    const send = async (path: string, csrf: string, text: string, sender = visitor) => {
      now += 7_000
      const answer = await sender.send('POST', path, text, { 'content-type': 'application/json', 'x-csrf-token': csrf })
      expect(JSON.parse(answer.html).error?.message, text.slice(0, 200)).toEqual(expect.any(String))
      statuses.add(answer.status)
    }
    for (const text of [...texts, ...variants(good).map((response) => JSON.stringify({ response }))]) {
      await send(SIGN_IN, token, text)
    }
    for (const text of [...texts, ...variants(created).map((response) => JSON.stringify({ name: 'A', response }))]) {
      await send(PASSKEYS, own, text, browser)
    }
    for (const text of texts.slice(0, 3)) await send(`${PASSKEYS}/options`, own, text, browser)
    expect([...statuses].toSorted()).toEqual([400, 413, 422])
    now += 60_000
    expect((await signInWith(otherBrowser(app), key)).status).toBe(200)
  })

  test('W8: broken bytes in a response with a valid challenge are refused', async () => {
    const { key, services, owner } = await withPasskey({}, authenticator({ algorithm: 'EdDSA' }))
    const { passkeys } = services
    const secret = 'a browser'
    const caller = { ...operator, userId: owner.id, username: 'mira' }
    const cut = (text: string, part: number) => Buffer.from(text, 'base64url').subarray(0, part).toString('base64url')
    const flip = (text: string, place: number) => {
      const bytes = Buffer.from(text, 'base64url')
      bytes[place % bytes.length]! ^= 0xff
      return bytes.toString('base64url')
    }
    const isRefused = (attempt: Promise<unknown>, about: string) =>
      expect(attempt, about).rejects.toMatchObject({ code: 'bad_request' })
    const browserOf = { secret, session: undefined, via: operator.via }
    for (let place = 0; place < 37; place += 2) {
      for (const name of ['authenticatorData', 'signature', 'clientDataJSON'] as const) {
        for (const change of [cut, flip]) {
          const response = key.get(await passkeys.signInOptions(secret))
          response.response[name] = change(response.response[name], place)
          await isRefused(passkeys.signIn(response, browserOf), `${name} ${change.name} ${place}`)
        }
      }
    }
    const attestations = [cbor(7), cbor('text'), cbor(new Map()), Buffer.alloc(4000, 0x9f), Buffer.alloc(4000, 0x81)]
    const created = () => passkeys.creationOptions(caller, secret).then((options) => authenticator().create(options))
    for (const attestation of attestations) {
      const response = await created()
      response.response.attestationObject = attestation.toString('base64url')
      await isRefused(passkeys.add(caller, 'Key', response, secret), attestation.toString('hex').slice(0, 20))
    }
    for (let place = 0; place < 150; place += 5) {
      const response = await created()
      const { attestationObject } = response.response
      response.response.attestationObject = cut(attestationObject, place)
      await isRefused(passkeys.add(caller, 'Key', response, secret), `cut at ${place}`)
    }
    expect(services.passkeys.listOf(owner.id)).toHaveLength(1)
  })

  test('W9: requests of other sites, without a CSRF token, or not in JSON are refused', async () => {
    const { key, visitor, browser } = await withPasskey()
    const options = await signInOptions(visitor)
    const body = { response: key.get(options) }
    const foreign: Record<string, string>[] = [
      { 'x-csrf-token': 'wrong' },
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of foreign) {
      for (const path of [`${SIGN_IN}/options`, SIGN_IN]) {
        const answer = await sendJson(visitor, '/login', path, body, headers)
        expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden'])
      }
      for (const path of [`${PASSKEYS}/options`, PASSKEYS]) {
        expect((await sendJson(browser, SECURITY_PAGE, path, {}, headers)).status).toBe(403)
      }
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const answer = await sendJson(visitor, '/login', SIGN_IN, body, { 'content-type': type })
      expect([answer.status, answer.body.error.message]).toEqual([415, 'Send the request as application/json.'])
    }
    expect((await sendJson(visitor, '/login', `${PASSKEYS}/options`, {})).status).toBe(401)
    expect((await sendResponse(visitor, body.response)).status).toBe(200)
  })

  test('W10: the limits of sign-in apply', async () => {
    const { key, app } = await withPasskey({ now: clock })
    const visitor = otherBrowser(app)
    const challenges = []
    for (let count = 0; count < 10; count++) challenges.push(await signInOptions(visitor))
    const refused = await sendJson(visitor, '/login', `${SIGN_IN}/options`, {})
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
    for (let count = 0; count < 2; count++) await visitor.signIn('mira', 'wrong password')
    for (let count = 0; count < 8; count++) {
      expect((await sendResponse(visitor, key.get(challenges[count], { isVerified: false }))).status).toBe(400)
    }
    expect((await sendResponse(visitor, key.get(challenges[9]))).status).toBe(429)
    expect((await visitor.signIn('mira', PASSWORD)).status).toBe(429)
    now += 60_000
    expect((await sendResponse(visitor, key.get(challenges[9]))).status).toBe(200)
  })
})

describe('adding a passkey', () => {
  test('W11: requires the password, or a session younger than ten minutes', async () => {
    const { browser, services, owner } = await signedIn({ now: clock })
    const optionsWith = (body: object) => sendJson(browser, SECURITY_PAGE, `${PASSKEYS}/options`, body)
    now += 599_999
    expect((await browser.get(SECURITY_PAGE)).html).not.toContain('Password to confirm')
    expect((await optionsWith({})).status).toBe(200)
    now += 1
    expect((await browser.get(SECURITY_PAGE)).html).toContain('Password to confirm')
    expect((await optionsWith({})).body.error.message).toBe('Enter your password.')
    const wrong = await optionsWith({ password: 'not this one' })
    expect([wrong.status, wrong.body.error.message]).toEqual([422, 'This is not your password.'])
    expect((await optionsWith({ password: PASSWORD })).status).toBe(200)
    for (let count = 0; count < 3; count++) await optionsWith({ password: 'not this one' })
    expect((await optionsWith({ password: PASSWORD })).status).toBe(429)
    expect(services.passkeys.listOf(owner.id)).toEqual([])
  })

  test('W11: requires another sign-in if the password does not count', async () => {
    const { app, services } = await signedIn({ now: clock, passwordSignIn: false })
    const { id } = await services.users.create(operator, { username: 'noor', password: PASSWORD })
    const browser = browserSession(app)
    browser.jar.set('paxlog', await services.sessions.start(id))
    now += 600_000
    const { status, body } = await sendJson(browser, SECURITY_PAGE, `${PASSKEYS}/options`, { password: PASSWORD })
    expect([status, body.error.message]).toEqual([403, 'To add a passkey, sign out and sign in again.'])
    expect((await browser.get(SECURITY_PAGE)).html).toContain('To add a passkey, sign out and sign in again.')
  })

  test('W12: a user can have 20 passkeys', async () => {
    const instance = await signedIn({ now: clock })
    const { browser, db, owner } = instance
    const insert = db.$client.prepare(
      "insert into passkeys (user_id, name, credential_id, public_key, counter, rp_id, created_at) values (?, 'Key', ?, ?, 0, 'localhost', 0)",
    )
    const fill = () => {
      for (let id = 1; id < 20; id++) insert.run(owner.id, Buffer.from([id]), Buffer.from([id]))
    }
    await write(db, 'credentials', fill)
    const waiting = await creationOptions(browser)
    expect((await addPasskey(browser, authenticator())).status).toBe(200)
    const response = authenticator().create(waiting)
    const late = await sendJson(browser, SECURITY_PAGE, PASSKEYS, { name: 'Late', response })
    expect([late.status, late.body.error.message]).toEqual([409, 'You can have at most 20 passkeys. Remove one first.'])
    expect((await sendJson(browser, SECURITY_PAGE, `${PASSKEYS}/options`, {})).status).toBe(409)
    expect(countOf(instance)).toBe(20)
    expect((await browser.get(SECURITY_PAGE)).html).toContain('You have 20 passkeys, the maximum.')
  })

  test('W12: a credential belongs to one account, and its name is validated', async () => {
    const instance = await withPasskey()
    const { key, app, services, browser } = instance
    const { id } = instance.user({ username: 'noor' })
    const noor = browserSession(app)
    noor.jar.set('paxlog', await services.sessions.start(id))
    const taken = await addPasskey(noor, key)
    expect([taken.status, taken.body.error.message]).toEqual([409, 'This passkey is already in use. Add another one.'])
    for (const name of ['', ' ', 'x'.repeat(101), 7]) {
      expect((await addPasskey(browser, authenticator(), name as string)).status).toBe(422)
    }
    expect(countOf(instance)).toBe(1)
  })
})

describe('removing a passkey', () => {
  const remove = (browser: Instance['browser'], id: number) =>
    browser.submit(SECURITY_PAGE, `${PASSKEYS}/${id}/delete`, {})

  test('ends the sign-in with it, and is refused for those of other users', async () => {
    const instance = await withPasskey()
    const { browser, services, owner, app, visitor, key } = instance
    const { id } = services.passkeys.listOf(owner.id)[0]!
    const noor = browserSession(app)
    noor.jar.set('paxlog', await services.sessions.start(instance.user({ username: 'noor' }).id))
    expect((await remove(noor, id)).status).toBe(404)
    expect((await browser.post(`${PASSKEYS}/${id}/delete`, { csrf: 'wrong' })).status).toBe(403)
    expect(await remove(browser, id)).toMatchObject({ status: 303, location: SECURITY_PAGE })
    expect((await browser.get(SECURITY_PAGE)).html).toContain('The passkey was removed.')
    expect((await signInWith(visitor, key)).status).toBe(400)
    expect(kindsOf(instance, 'passkey.')).toContain('mira removed the passkey “Phone”.')
    expect((await remove(browser, id)).status).toBe(404)
  })

  test('W13: the last way to sign in cannot be removed', async () => {
    const { services, app, db, user } = await signedIn({ passwordSignIn: false })
    const { id: userId } = user({ username: 'noor' })
    const browser = browserSession(app)
    browser.jar.set('paxlog', await services.sessions.start(userId))
    const [first, second] = [authenticator(), authenticator()]
    await addPasskey(browser, first)
    expect((await browser.get(SECURITY_PAGE)).html).toContain('This is your only way to sign in')
    const onlyId = services.passkeys.listOf(userId)[0]!.id
    const refused = await remove(browser, onlyId)
    expect([refused.status, refused.html.includes('This is your only way to sign in.')]).toEqual([409, true])
    expect((await signInWith(otherBrowser(app), first)).status).toBe(200)
    await addPasskey(browser, second, 'Key')
    // A passkey of another host is no way to sign in.
    const move = db.$client.prepare("update passkeys set rp_id = 'old.example.org' where name = 'Key'")
    await write(db, 'credentials', () => void move.run())
    expect((await remove(browser, onlyId)).status).toBe(409)
    const { html } = await browser.get(SECURITY_PAGE)
    expect(html).toContain('Works only on old.example.org.')
    expect((await signInWith(otherBrowser(app), second)).status).toBe(400)
    expect((await remove(browser, services.passkeys.listOf(userId)[1]!.id)).status).toBe(303)
    await addPasskey(browser, authenticator(), 'Third')
    expect((await remove(browser, onlyId)).status).toBe(303)
  })

  test('W13: a password counts as a way to sign in, for the owner always', async () => {
    const { services, browser, owner } = await withPasskey({ passwordSignIn: false })
    expect((await remove(browser, services.passkeys.listOf(owner.id)[0]!.id)).status).toBe(303)
  })
})

describe('the account', () => {
  async function withUser() {
    const instance = await signedIn()
    const { id } = await instance.services.users.create(operator, { username: 'noor', password: PASSWORD })
    const browser = browserSession(instance.app)
    browser.jar.set('paxlog', await instance.services.sessions.start(id))
    const key = authenticator()
    await addPasskey(browser, key)
    return { ...instance, ownerBrowser: instance.browser, browser, id, key }
  }

  const confirmationOptions = async (browser: Instance['browser']) =>
    (await sendJson(browser, SECURITY_PAGE, `${PASSKEYS}/options`, { purpose: 'delete' })).body

  test('W14: a password reset by an administrator or the command line removes all passkeys', async () => {
    const instance = await withUser()
    const { services, id, key, app, owner, as } = instance
    expect(countOf(instance)).toBe(1)
    const apiKey = makers(instance.db).key(owner.id)
    expect((await as(apiKey).put(`/users/${id}`, { password: 'a new good password' })).status).toBe(200)
    expect(countOf(instance)).toBe(0)
    expect(kindsOf(instance, 'passkey.').at(-1)).toBe('mira removed 1 passkey of the account noor.')
    expect((await signInWith(otherBrowser(app), key)).status).toBe(400)
    const browser = browserSession(app)
    browser.jar.set('paxlog', await services.sessions.start(id))
    await addPasskey(browser, authenticator())
    await services.users.resetPassword('noor', PASSWORD)
    expect(countOf(instance)).toBe(0)
    expect(kindsOf(instance, 'passkey.').at(-1)).toBe('The operator removed 1 passkey of the account noor.')
  })

  test('keeps its passkeys after a change of the own password', async () => {
    const instance = await withUser()
    await instance.browser.submit(SECURITY_PAGE, `${SECURITY_PAGE}/password`, {
      current: PASSWORD,
      password: 'a new good password',
    })
    expect((await signInWith(otherBrowser(instance.app), instance.key)).status).toBe(200)
  })

  test('W15: is deleted with a fresh passkey instead of the password', async () => {
    const instance = await withUser()
    const { browser, key, services } = instance
    const send = (passkey: string, confirm = 'noor') =>
      browser.submit(SECURITY_PAGE, `${SECURITY_PAGE}/delete`, { confirm, passkey })
    expect((await browser.get(SECURITY_PAGE)).html).toContain('Confirm with a passkey')
    const signInResponse = key.get(await signInOptions(otherBrowser(instance.app)))
    for (const passkey of ['{', '{}', 'null', JSON.stringify(signInResponse)]) {
      const answer = await send(passkey)
      expect([answer.status, answer.html.includes('The passkey was not accepted.')]).toEqual([403, true])
    }
    const response = JSON.stringify(key.get(await confirmationOptions(browser)))
    expect((await send(response, 'mira')).status).toBe(422)
    const answer = await send(response)
    expect([answer.status, answer.html.includes('Your account was deleted')]).toEqual([200, true])
    expect([services.users.findByName('noor'), countOf(instance)]).toEqual([undefined, 0])
  })

  test('W15: is not deleted with the passkey of another user', async () => {
    const { browser, ownerBrowser, services } = await withUser()
    const ownerKey = authenticator()
    await addPasskey(ownerBrowser, ownerKey)
    const response = ownerKey.get(await confirmationOptions(browser))
    const answer = await browser.submit(SECURITY_PAGE, `${SECURITY_PAGE}/delete`, {
      confirm: 'noor',
      passkey: JSON.stringify(response),
    })
    expect([answer.status, services.users.findByName('noor')?.username]).toEqual([403, 'noor'])
  })

  test('W16: passkeys work while passwords are switched off', async () => {
    const instance = await signedIn({ passwordSignIn: false })
    const { services, app } = instance
    const { id } = await services.users.create(operator, { username: 'noor', password: PASSWORD })
    const browser = browserSession(app)
    browser.jar.set('paxlog', await services.sessions.start(id))
    const key = authenticator()
    await addPasskey(browser, key)
    const visitor = otherBrowser(app)
    expect((await visitor.signIn('noor', PASSWORD)).status).toBe(400)
    expect((await signInWith(visitor, key)).status).toBe(200)
    // An account that has nothing else confirms its deletion with the passkey.
    const { html } = await browser.get(SECURITY_PAGE)
    expect(html).toContain('You will be asked for your passkey.')
    const answer = await browser.submit(SECURITY_PAGE, `${SECURITY_PAGE}/delete`, { confirm: 'noor' })
    expect(answer.status).toBe(403)
  })
})
