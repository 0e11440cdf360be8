import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { legacyServer, type Server } from '../legacy/support.ts'

let server: Server

beforeAll(async () => {
  server = await legacyServer()
})
afterAll(() => server.close())

const scopesIn = (header: unknown) => /scope="([^"]*)"/.exec(String(header))?.[1]

/** Without a user, only the query determines the required scopes. */
describe('the scopes in a 401 response', () => {
  test.each([
    ['GET', '/flights', 'flight.read.own'],
    ['GET', '/flights?scope=mine', 'flight.read.own'],
    ['GET', '/flights?scope=all', 'flight.read.own flight.read.any'],
    ['GET', '/flights?scope=user&userId=anybody', 'flight.read.own flight.read.any'],
    ['GET', '/flights?scope=everything', 'flight.read.own'],
    ['GET', '/flights/changes?scope=all', 'flight.read.own flight.read.any'],
    ['GET', '/flights/export?scope=all', 'flight.export.own flight.export.any'],
    ['GET', '/stats?scope=all', 'stats.read flight.read.own flight.read.any'],
    ['POST', '/flights/import', 'flight.import.own'],
    ['POST', '/flights/import?mode=add', 'flight.import.own'],
    ['POST', '/flights/import?mode=restore', 'flight.import.own flight.import.any'],
    ['GET', '/custom-fields?includeInactive=false', 'custom_fields.read'],
    ['GET', '/custom-fields?includeInactive=true', 'custom_fields.read custom_fields.manage'],
  ] as const)('%s %s are %s', async (method, path, scopes) => {
    for (const headers of [{}, { authorization: 'Bearer pxl_nobody' }]) {
      const answer = await server.request({ method, url: `/api/v1${path}`, headers })
      expect(answer.status).toBe(401)
      expect(scopesIn(answer.headers['www-authenticate'])).toBe(scopes)
    }
  })

  test.each([
    ['/flight/list', 'flight.read.own'],
    ['/flight/list?scope=all', 'flight.read.own flight.read.any'],
    ['/flight/list?scope=user&userId=anybody', 'flight.read.own flight.read.any'],
    ['/flight/export?scope=user', 'flight.export.own flight.export.any'],
    ['/stats?scope=all', 'stats.read flight.read.own flight.read.any'],
  ])('for the legacy path %s are %s', async (path, scopes) => {
    const answer = await server.legacyAs(undefined).get(path)
    expect(answer.status).toBe(401)
    expect(scopesIn(answer.headers['www-authenticate'])).toBe(scopes)
  })

  test('for a legacy save include create and update, because the body is not read', async () => {
    const answer = await server.legacyAs(undefined).save({ id: 1 })
    expect(scopesIn(answer.headers['www-authenticate'])).toBe('flight.create.own flight.update.own')
  })
})

test('a 403 for a missing fixed scope also names the scopes that the query requires', async () => {
  const me = server.as(server.user({ owner: true, scopes: ['profile.read'] }))
  const restore = await me.post('/flights/import?mode=restore', {})
  expect(scopesIn(restore.headers['www-authenticate'])).toBe('flight.import.own flight.import.any')
  const inactive = await me.get('/custom-fields?includeInactive=true')
  expect(scopesIn(inactive.headers['www-authenticate'])).toBe('custom_fields.read custom_fields.manage')
})

test('a 401 of the legacy API mentions only API keys, because it accepts nothing else', async () => {
  const wrong = [undefined, 'Basic YTpi', 'Bearer', 'Bearer two words', 'Bearer pxl_nobody', 'Bearer eyJ.eyJ.sig']
  for (const authorization of wrong) {
    const headers = authorization === undefined ? {} : { authorization }
    const { status, body, headers: sent } = await server.request({ url: '/api/flight/list', headers })
    expect(status).toBe(401)
    expect(body.message).toContain('API key')
    expect(`${body.message} ${sent['www-authenticate']}`).not.toMatch(/token\b(?!")|credential|expired/)
  }
})
