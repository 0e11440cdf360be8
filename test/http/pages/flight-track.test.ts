import { describe, expect, test } from 'vitest'
import type { Permission } from '../../../src/access/permissions.ts'
import { browserSession } from '../../support/browser-session.ts'
import { signedIn } from '../../support/pages.ts'
import { places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

const GPX = `<gpx version="1.1"><trk><trkseg>
<trkpt lat="47.458" lon="8.548"><ele>430</ele><time>2025-05-03T10:20:00Z</time></trkpt>
<trkpt lat="43" lon="0"><ele>11000</ele><time>2025-05-03T11:20:00Z</time></trkpt>
<trkpt lat="38.781" lon="-9.136"><ele>110</ele><time>2025-05-03T12:50:00Z</time></trkpt>
</trkseg></trk></gpx>`

const file = (text: string | Uint8Array, name = 'LX2084 & Co.gpx') => new File([text as string], name)

async function withFlight(options: Parameters<typeof signedIn>[0] = {}) {
  const instance = await signedIn(options)
  const { airports } = places(instance.db)
  const api = instance.as(instance.key(instance.owner.id))
  const { body } = await api.post('/flights', { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS })
  const { id } = body.data as { id: number }
  const page = `/flights/${id}/track`
  const send = (content: string | Uint8Array, name?: string) =>
    instance.browser.upload(page, page, { file: file(content, name) })
  return { ...instance, api, id, page, send }
}

describe('flight track', () => {
  test('is uploaded, shown, downloaded and deleted', async () => {
    const { api, browser, id, page, send } = await withFlight()
    expect((await browser.get(`/flights/${id}`)).html).toContain('>Add track</a>')
    const empty = (await browser.get(page)).html
    expect(empty).toContain('This flight has no track yet.')
    expect(empty).not.toContain('Delete track')

    expect(await send(GPX)).toMatchObject({ status: 303, location: page })
    const { html } = await browser.get(page)
    for (const text of ['The track was saved.', 'class="tracks height-', 'LX2084 &amp; Co.gpx', 'Replace track']) {
      expect(html).toContain(text)
    }
    expect((await browser.get(`/flights/${id}`)).html).toContain('>Track</a>')
    const { data } = (await api.get(page)).body
    expect(data).toMatchObject({ sourceFormat: 'gpx', pointCount: 3, times: [1746267600, 1746271200, 1746276600] })

    const json = await browser.get(`${page}.json`)
    expect(json.headers['content-disposition']).toBe('attachment; filename="2025-05-03-ZRH-LIS.json"')
    expect(JSON.parse(json.html)).toEqual({ data })
    const gpx = await browser.get(`${page}.gpx`)
    expect(gpx.headers['content-type']).toBe('application/gpx+xml; charset=utf-8')
    for (const download of [gpx.html, json.html]) {
      expect((await send(download)).status).toBe(303)
      const again = (await api.get(page)).body.data
      expect([again.coordinates, again.times]).toEqual([data.coordinates, data.times])
    }

    expect(await browser.submit(page, `${page}/delete`, {})).toMatchObject({ status: 303 })
    expect((await api.get(page)).body.data).toBeNull()
    for (const kind of ['gpx', 'json']) expect((await browser.get(`${page}.${kind}`)).status).toBe(404)
  })

  test('is read from a large file, and an invalid file shows an error beside the field', async () => {
    const { api, page, send } = await withFlight()
    const lines = Array.from(
      { length: 20_000 },
      (_, index) => `${index / 1000},${index / 1000},${1_700_000_000 + index}`,
    )
    expect((await send(`latitude,longitude,timestamp\n${lines.join('\n')}`, 'long.csv')).status).toBe(303)
    const { data } = (await api.get(page)).body
    expect(data).toMatchObject({ sourceFormat: 'csv', sourceName: 'long.csv', pointCount: 20_000 })
    expect([data.coordinates.at(-1), data.times.at(-1)]).toEqual([[19.999, 19.999], 1_700_019_999])
    const values = `{"timestamp":1,"trace":[${'[],'.repeat(200_000)}[]]}`
    for (const [content, message] of [
      [values, 'The file is too complex: it contains too many values.'],
      [`<gpx><${'a'.repeat(50_000)}></gpx>`, 'The file is not valid XML, line 1: unexpected close tag.'],
    ] as const) {
      const { status, html } = await send(content)
      expect([status, html.includes(message)]).toEqual([422, true])
    }
    expect((await api.get(page)).body.data.pointCount).toBe(20_000)
  })

  test('stays unchanged and shows an error beside the field if a file cannot be read', async () => {
    const { api, browser, page, send } = await withFlight({ bodyLimit: 200_000 })
    await send(GPX)
    const expectError = async (content: string | Uint8Array, status: number, text: string) => {
      const { status: found, html } = await send(content)
      expect([found, html.includes(text)]).toEqual([status, true])
    }
    await expectError('', 422, 'Choose a file that is not empty.')
    await expectError('<!DOCTYPE gpx [<!ENTITY a "b">]><gpx>&a;</gpx>', 422, 'The file has a document type')
    await expectError(Uint8Array.of(0, 159, 146, 150), 422, 'The file is not text.')
    await expectError('date,from\n1,2\n', 422, 'has no columns for latitude and longitude')
    await expectError(' '.repeat(250_000), 413, 'The file is larger than')
    expect((await browser.upload(page, page, {})).status).toBe(422)
    expect((await browser.upload(page, page, { file: file(GPX) }, 'wrong')).status).toBe(403)
    expect((await api.get(page)).body.data.pointCount).toBe(3)
  })

  test('is visible and editable with the permissions of its flight', async () => {
    const { app, page, send, services, user, db, id } = await withFlight()
    await send(GPX)
    const browserOf = async (permissions: readonly Permission[], isPassenger: boolean) => {
      const guest = user({ role: permissions })
      if (isPassenger)
        runNow(db, 'insert into passengers (flight_id, user_id, date) values (?, ?, ?)', id, guest.id, '2025-05-03')
      const session = browserSession(app)
      session.jar.set('paxlog', await services.sessions.start(guest.id))
      return session
    }
    const reader = await browserOf(['flight.read.own'], true)
    const { status, html } = await reader.get(page)
    expect([status, html.includes('Download as GPX'), html.includes('type="file"')]).toEqual([200, true, false])
    expect((await reader.upload('/', page, { file: file(GPX) })).status).toBe(403)
    const otherUser = await browserOf(['flight.read.own', 'flight.update.own'], false)
    for (const path of [page, `${page}.gpx`, `${page}.json`]) expect((await otherUser.get(path)).status).toBe(404)
    expect((await otherUser.upload('/', page, { file: file(GPX) })).status).toBe(404)
    expect((await browserSession(app).get(page)).status).toBe(303)
  })
})
