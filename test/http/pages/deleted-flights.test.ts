import { describe, expect, test } from 'vitest'
import { noticeIn } from '../../support/administration.ts'
import { signedIn } from '../../support/pages.ts'
import type { PaxlogOptions } from '../../support/paxlog.ts'
import { places } from '../../support/travel.ts'

const PAGE = '/settings/deleted'

async function withFlight(options: PaxlogOptions = {}) {
  const instance = await signedIn(options)
  const { as, key, owner, browser, db } = instance
  const { ZRH: fromId, LIS: toId } = places(db).airports
  const api = as(key(owner.id))
  const created = async (more: object = {}) =>
    (await api.post('/flights', { date: '2025-05-03', fromId, toId, note: 'kept', ...more })).body.data
  const flight = await created()
  const remove = (id = flight.id) => browser.submit(`/flights/${id}`, `/flights/${id}/delete`, {})
  return { ...instance, api, created, flight, remove }
}

describe('deleting a flight on a page', () => {
  test('is announced on the next page with an undo button that restores the flight', async () => {
    const { api, browser, flight, remove } = await withFlight()
    expect((await browser.get(`/flights/${flight.id}`)).html).toContain('You can restore it for 30 days.')
    expect((await remove()).location).toBe('/')
    const { html } = await browser.get('/')
    expect(noticeIn(html)).toBe('The flight was deleted.')
    const undo = `${PAGE}/${flight.id}/restore`
    expect(html).toContain(`action="${undo}"`)
    expect((await api.get(`/flights/${flight.id}`)).status).toBe(404)
    const csrf = /name="csrf" value="([\w-]+)"/.exec(html)![1]!
    expect((await browser.post(undo, { csrf })).location).toBe(`/flights/${flight.id}`)
    const restored = await browser.get(`/flights/${flight.id}`)
    expect(noticeIn(restored.html)).toBe('The flight was restored.')
    expect((await api.get(`/flights/${flight.id}`)).body.data).toEqual({ ...flight, updatedAt: expect.any(String) })
  })

  test('offers no undo if flights are deleted at once', async () => {
    const { browser, flight, remove, db } = await withFlight({ deletedFlightsDays: 0 })
    expect((await browser.get(`/flights/${flight.id}`)).html).toContain('This cannot be undone.')
    await remove()
    const { html } = await browser.get('/')
    expect(noticeIn(html)).toBe('The flight was deleted.')
    expect(html).not.toContain(`${PAGE}/${flight.id}`)
    expect(db.$client.prepare('select count(*) from deleted_flights').pluck().get()).toBe(0)
    expect((await browser.get(PAGE)).html).toContain('flights are deleted permanently at once')
  })
})

describe('Recently deleted', () => {
  test('lists deleted flights with the route, the day and who deleted them, and restores them', async () => {
    const { browser, flight, remove } = await withFlight()
    expect((await browser.get(PAGE)).html).toContain('No deleted flights.')
    await remove()
    const { html } = await browser.get(PAGE)
    expect(html).toContain('>ZRH<')
    expect(html).toContain('3 May 2025')
    expect(html).toContain('<bdi class="beside">mira</bdi>')
    expect((await browser.submit(PAGE, `${PAGE}/${flight.id}/restore`, {})).location).toBe(`/flights/${flight.id}`)
    expect((await browser.get(PAGE)).html).toContain('No deleted flights.')
  })

  test('deletes a flight permanently', async () => {
    const { api, browser, flight, remove } = await withFlight()
    await remove()
    expect((await browser.submit(PAGE, `${PAGE}/${flight.id}/delete`, {})).location).toBe(PAGE)
    expect(noticeIn((await browser.get(PAGE)).html)).toBe('The flight was deleted permanently.')
    expect((await api.get('/flights/deleted')).body.data).toEqual([])
    expect((await browser.submit(PAGE, `${PAGE}/${flight.id}/restore`, {})).status).toBe(404)
  })

  test('explains that a flight without its airport cannot be restored', async () => {
    const { api, browser, created, remove } = await withFlight()
    const place = {
      icao: 'XQAA',
      name: 'Field',
      latitude: 1,
      longitude: 2,
      timezone: 'UTC',
      continent: 'EU',
      country: 'CH',
    }
    const airport = (await api.post('/airports', place)).body.data
    const { id } = await created({ fromId: airport.id })
    await remove(id)
    await api.delete(`/airports/${airport.id}`)
    expect((await browser.submit(PAGE, `${PAGE}/${id}/restore`, {})).location).toBe(PAGE)
    const { html } = await browser.get(PAGE)
    expect(html).toContain('one of its airports no longer exists')
    expect(html).toContain('XQAA')
  })

  test('has pages of 25 flights', async () => {
    const { api, browser, created, flight } = await withFlight()
    const ids = [flight.id]
    while (ids.length < 26) ids.push((await created()).id)
    for (const id of ids) await api.delete(`/flights/${id}`)
    const first = (await browser.get(PAGE)).html
    const forms = (html: string) =>
      [...html.matchAll(/action="\/settings\/deleted\/(\d+)\/restore"/g)].map(([, id]) => Number(id))
    const next = /rel="next" href="([^"]+)"/.exec(first)![1]!
    const second = (await browser.get(next)).html
    expect([...forms(first), ...forms(second)]).toEqual(ids.toReversed())
    expect(second).toContain('Newest deletions')
  })
})
