import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Paxlog, paxlog, sharedPaxlog } from '../../support/paxlog.ts'
import { allBut, type Flag, flags, markers, secrets, sharedFlight } from '../../support/shared-flight.ts'

let now = Date.parse('2025-09-01T07:00:00.000Z')
let app: Paxlog
let it: Awaited<ReturnType<typeof sharedFlight>>
beforeAll(async () => {
  app = await sharedPaxlog({ now: () => now })
  it = await sharedFlight(app)
})
afterAll(() => app.close())

const page = (slug: string) => app.request({ url: `/share/${slug}` })
const htmlOf = async (on: readonly Flag[], more = {}) => (await page(await it.share(on, more))).text

describe('GET /share/{slug}', () => {
  const cases = Object.entries(markers)
  test.each(cases)('shows the %s when its flags are on', async (_name, { needs, words }) => {
    for (const html of [await htmlOf(needs), await htmlOf(flags)]) {
      for (const word of words) expect(html).toContain(word)
    }
  })

  const hidden = cases.flatMap(([name, { needs }]) => needs.map((flag) => [name, flag] as const))
  test.each(hidden)('does not show the %s when %s is off', async (name, flag) => {
    const { needs, words } = markers[name]!
    const elsewhere: Flag[] = flag === 'showStats' ? ['showFlightList'] : flag === 'showFlightList' ? ['showStats'] : []
    const html = await htmlOf(allBut(flag).filter((each) => needs.includes(each) || !elsewhere.includes(each)))
    for (const word of words) expect(html).not.toContain(word)
  })

  test('never shows people, reasons, notes, terminals, gates, custom values or ids', async () => {
    const html = await htmlOf(flags)
    for (const word of [...secrets, it.owner.id, it.other.id])
      expect([word, html.includes(word)]).toEqual([word, false])
  })

  test('draws the routes with a map, and states the number of flights without one', async () => {
    const drawn = await htmlOf(['showMap'])
    expect(drawn).toMatch(/<svg[^>]*role="img"[^>]*>.*<path[^>]* d="M/s)
    expect(drawn).toContain('Map of 1 route')
    const plain = await htmlOf([])
    expect(plain).not.toContain('role="img"')
    expect(plain).toContain('One flight')
  })

  test('says so when nothing is selected', async () => {
    const html = await htmlOf(flags, { dateFrom: '2030-01-01' })
    expect(html).toContain('This share shows no flights at the moment.')
    expect(html).not.toContain('role="img"')
  })

  test('needs no sign-in, ignores the case of the slug, and is never kept', async () => {
    const slug = await it.share(['showMap'], { slug: 'Mixed-Case_1' })
    const answers = [await page(slug), await page('mixed-case_1'), await page('MIXED-CASE_1')]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const { headers } = answers[0]!
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(headers['set-cookie']).toBeUndefined()
  })

  test('gives one and the same 404 for a missing, expired or removed share and for an owner who may not publish', async () => {
    const missing = await page('no-such-share')
    expect(missing.status).toBe(404)
    const expired = await it.share(flags, { expiresAt: new Date(now + 1000).toISOString() })
    expect((await page(expired)).status).toBe(200)
    now += 1000
    const answers = [await page(expired)]
    for (const role of [['flight.read.own'], ['flight.share.own'], []] as const) {
      const owner = app.user({ role: ['flight.read.own', 'flight.share.own'] })
      const slug = await it.share(flags, {}, owner)
      expect((await page(slug)).status).toBe(200)
      app.db.$client.prepare('update users set role_id = ? where id = ?').run(app.role(role), owner.id)
      answers.push(await page(slug))
      app.db.$client
        .prepare('update users set role_id = ? where id = ?')
        .run(app.role(['flight.read.any', 'flight.share.own']), owner.id)
      expect((await page(slug)).status).toBe(200)
    }
    const { id, slug } = (await app.as(it.owner).post('/shares', {})).body.data
    await app.as(it.owner).delete(`/shares/${id}`)
    answers.push(await page(slug), await page('%20'), await page('a'.repeat(500)))
    const { date: _, ...headers } = missing.headers
    for (const answer of answers) {
      const { date: __, ...theirs } = answer.headers
      expect([answer.status, answer.text, theirs]).toEqual([404, missing.text, headers])
    }
  })

  test('is one document that loads nothing from other hosts, under a policy that forbids it', async () => {
    const { text, headers } = await page(await it.share(flags))
    const links = [...text.matchAll(/(?:src|href|action|data|srcset|poster)="([^"]*)"/g)].map(([, link]) => link)
    // Two slashes at the start would lead to another host.
    expect(links.filter((link) => !/^(\/(?!\/)|#content$)/.test(link!))).toEqual([])
    expect(text).not.toMatch(/https?:\/\/|url\(|@import|<script(?! type="module" src="\/assets\/)|<iframe|style="/)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(text).toContain('<meta name="robots" content="noindex"')
    expect((await app.request({ url: '/assets/style.css' })).status).toBe(200)
  })

  test('writes hostile names as text', async () => {
    const own = await paxlog()
    const set = await sharedFlight(own)
    const evil = `<script>alert("1")</script>'"&<img src=x onerror=1>`
    const { $client } = own.db
    for (const [table, column] of [
      ['airports', 'name'],
      ['airports', 'municipality'],
      ['airports', 'iata'],
      ['airlines', 'name'],
      ['aircraft', 'name'],
      ['flights', 'flight_number'],
      ['flights', 'aircraft_reg'],
      ['passengers', 'seat_number'],
    ]) {
      $client.prepare(`update ${table} set ${column} = ?`).run(evil)
    }
    // A write to reference data, after which nothing cached is used again.
    await own.as(set.admin).post('/aircraft', { name: 'Another type' })
    const { text } = await own.request({ url: `/share/${await set.share(flags)}` })
    expect(text).toContain('&lt;script>alert(&quot;1&quot;)&lt;/script>')
    const ownScript = /<script type="module" src="\/assets\/paxlog\.js\?v=[\w-]+"><\/script>/
    expect(text).toMatch(ownScript)
    expect(text.replace(ownScript, '')).not.toMatch(/<script|<img/)
  })

  test('is served below the path of BASE_URL', async () => {
    const own = await paxlog({ baseUrl: 'https://example.org/flights' })
    const user = own.user()
    const { slug, url } = (await own.as(user).post('/shares', {})).body.data
    expect(url).toBe(`https://example.org/flights/share/${slug}`)
    const { status, text } = await own.request({ url: `/flights/share/${slug}` })
    expect([status, text.includes('href="/flights/assets/style.css')]).toEqual([200, true])
    expect((await own.request({ url: `/share/${slug}` })).status).toBe(404)
  })
})
