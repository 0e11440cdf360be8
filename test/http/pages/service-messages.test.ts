import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorText, messageText } from '../../../src/http/pages/framework/service-messages.ts'
import { type PageTexts, textsIn } from '../../../src/http/pages/texts/languages.ts'
import { compile } from '../../../src/http/pages/texts/message.ts'
import { AppError, conflict, invalid, notFound } from '../../../src/lib/errors.ts'
import { english } from '../../../src/messages/english.ts'
import { messages } from '../../../src/messages/messages.ts'
import { type Catalogue, isPlural, plural } from '../../../src/messages/notation.ts'
import { passText } from '../../support/boarding-pass.ts'
import { browserSession } from '../../support/browser-session.ts'
import { flightLog, NEW_FLIGHT } from '../../support/flight-form.ts'

const marked = (text: string) => `⟦${text}⟧`

/** Another language: every sentence in brackets. */
const pseudo = (entries: Catalogue): Catalogue =>
  Object.fromEntries(
    Object.entries(entries).map(([key, entry]) => {
      if (typeof entry === 'string') return [key, marked(entry)]
      if (!isPlural(entry)) return [key, pseudo(entry)]
      const forms = Object.entries(entry.plural).map(([rule, text]) => [rule, marked(text!)])
      return [key, plural(Object.fromEntries(forms) as { other: string })]
    }),
  )

const pseudoMessages = compile<typeof messages>('en', pseudo(messages) as unknown as typeof messages)

const texts = textsIn('en') as { -readonly [Key in keyof PageTexts]: PageTexts[Key] }
const own = texts.messages

beforeAll(() => {
  texts.messages = pseudoMessages
})
afterAll(() => {
  texts.messages = own
})

const unescaped = (html: string) => html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

/** The page shows the sentence in the other language only. */
function expectTranslated(html: string, sentence: string) {
  const page = unescaped(html)
  expect(page).toContain(marked(sentence))
  expect(page.replaceAll(marked(sentence), '')).not.toContain(sentence)
}

describe('sentences of services', () => {
  test('are translated with their values, also inside other sentences', () => {
    const text = (sentence: string) => messageText(sentence, texts)
    expect(text('The username mira is taken.')).toBe('⟦The username mira is taken.⟧')
    expect(text('Must have at least 1 character.')).toBe('⟦Must have at least 1 character.⟧')
    expect(text('Must have at most 10000 items.')).toBe('⟦Must have at most 10,000 items.⟧')
    expect(text('The passengers.0.userId "x" cannot be used: Must be text.')).toBe(
      '⟦The passengers.0.userId "x" cannot be used: ⟦Must be text.⟧⟧',
    )
    expect(text('Line 2 is not a valid boarding pass: it is too short.')).toBe(
      '⟦Line 2 is not a valid boarding pass: ⟦it is too short⟧.⟧',
    )
    expect(text('The code must be text, not an object.')).toBe('⟦The code must be text, not ⟦an object⟧.⟧')
    expect(text('A sentence of the file.')).toBe('A sentence of the file.')
  })

  test('of errors are those of the first detail', () => {
    expect(errorText(invalid(english.trips.notValid, ['flightIds', '0'], 'Is required.'), texts)).toBe('⟦Is required.⟧')
    expect(errorText(conflict(english.shares.slugTaken({ slug: 'a' })), texts)).toBe('⟦The slug a is taken.⟧')
    expect(errorText(notFound('trip'), texts)).toBe(texts.errors.notFound)
    expect(errorText(new AppError('bad_request', 'Unknown.'), texts)).toBe('Unknown.')
  })
})

describe('pages', () => {
  test('show refused accounts, roles and shares in their language, and the API in English', async () => {
    const { browser, api, user } = await flightLog({ now: () => Date.parse('2026-06-01T12:00:00Z') })
    user({ username: 'noor' })
    const account = { username: 'noor', displayName: 'Noor', password: 'correct horse battery' }
    expectTranslated(
      (await browser.submit('/admin/users', '/admin/users', account)).html,
      'The username noor is taken.',
    )
    expect((await api.post('/users', account)).body).toEqual({
      error: { code: 'conflict', message: 'The username noor is taken.' },
    })

    const wrong = { ...account, username: 'n o', password: 'short' }
    const refused = (await browser.submit('/admin/users', '/admin/users', wrong)).html
    expectTranslated(refused, english.users.usernameCharacters)
    expect((await api.post('/users', { ...wrong, password: undefined })).body.error).toEqual({
      code: 'validation_failed',
      message: 'The body is not valid; details say what to change.',
      details: expect.arrayContaining([
        { code: 'invalid_format', path: ['username'], message: english.users.usernameCharacters },
        { code: 'invalid_type', path: ['password'], message: 'Is required.' },
      ]),
    })

    const share = { expires: '2026-05-01', show: 'showMap' }
    expectTranslated(
      (await browser.submit('/settings/shares', '/settings/shares', share)).html,
      'Must not be in the past.',
    )
    const roles = (await browser.get('/admin/roles')).html
    expectTranslated(roles, 'Manage custom airlines')
    expectTranslated(roles, 'Accounts and roles')
  })

  test('show refused flights in their language', async () => {
    const { send, browserOf } = await flightLog()
    const long = await send(NEW_FLIGHT, { from: 'ZRH', to: 'LIS', date: '2025-05-03', note: 'n'.repeat(20_000) })
    expect(long.html).toMatch(/⟦Must have at most [\d,]+ characters.⟧/)
    const nobody = { from: 'ZRH', to: 'LIS', date: '2025-05-03', 'passengers.0.who': '' }
    const { browser } = await browserOf(['flight.read.own'])
    expect((await send(NEW_FLIGHT, nobody)).html).not.toContain('Set either userId')
    const forbidden = await browser.get('/admin/activity')
    expect(forbidden.status).toBe(403)
    expectTranslated(forbidden.html, 'Your role does not permit this: it lacks users.update.')
    expectTranslated(
      (await browser.get(NEW_FLIGHT)).html,
      'Your role does not permit this: it lacks flight.create.own.',
    )
  })

  test('show the reasons of rejected rows in their language, and the API in English', async () => {
    const { browser, api } = await flightLog()
    const rows = ['2025-05-03,QQQ,ZRH', '2025-13-03,ZRH,LIS', ',ZRH,LIS', '2025-05-03,,LIS', '2025-05-03,ZRH,LIS,x']
    const file = ['date,from,to', ...rows].join('\n')
    await browser.upload('/import', '/import', { file: new Blob([file]) })
    const { html } = await browser.get('/import/check')
    const reasons = [
      'Airport code QQQ is not known.',
      'The date 2025-13-03 is not a day that exists.',
      'The row has no date.',
      'The row has no origin airport.',
      'The row has 4 cells, but the header has 3.',
    ]
    for (const reason of reasons) expect(unescaped(html)).toContain(marked(reason))
    const answer = await api.post('/flights/import?dryRun=true', file, { 'content-type': 'text/csv' })
    expect(JSON.stringify(answer.body)).toContain('Airport code QQQ is not known.')
    expect(JSON.stringify(answer.body)).not.toMatch(/⟦|"values"|"path"/)
    const empty = await browser.upload('/import', '/import', { file: new Blob(['{"nothing": 1}']) })
    expectTranslated(empty.html, 'The format of the file is not known.')
  })

  test('show unreadable tracks and travel documents in their language', async () => {
    const { browser, api, airports } = await flightLog()
    const { body } = await api.post('/flights', { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS })
    const page = `/flights/${body.data.id}/track`
    const track = await browser.upload(page, page, { file: new File(['<gpx></gpx>'], 'a.gpx') })
    expectTranslated(track.html, english.tracks.noTrack)

    const document = '/flights/new/document'
    const found = await browser.upload(document, document, {
      text: passText({ name: 'HOLM/MIRA', legs: [{ route: 'QQQLISLX', number: '0001', day: '123' }], issue: '4120' }),
    })
    expectTranslated(found.html.replaceAll(/name="item" value="[^"]*"/g, ''), 'Airport QQQ is not known.')
    expectTranslated(
      (await browser.upload(document, document, { text: 'M1' })).html,
      english.documents.passLine({
        line: 1,
        problem: marked('it is too short'),
      }),
    )
  })

  test('show the activity log in their language, and the command line in English', async () => {
    const { browser, services, app } = await flightLog()
    const { html } = await browser.get('/admin/activity')
    expectTranslated(html, `${marked('The operator')} created the account mira.`)
    expectTranslated(html, 'Application connected')
    expect([...services.activity.history(0)].map(({ summary }) => summary)).toContain(
      'The operator created the account mira.',
    )
    expect(Object.keys([...services.activity.history(0)][0]!)).not.toContain('facts')

    const consent = await browserSession(app).get('/oauth/authorize?client_id=a')
    expectTranslated(consent.html, 'redirect_uri must be given exactly once.')
  })
})
