import { describe, expect, test } from 'vitest'
import { DatabaseAway, databaseReason, PostgresFault } from '../../src/db/postgres/fault.ts'
import { inClear, urlsOf } from '../../src/db/postgres/hosts.ts'

describe('the URL of a database', () => {
  test('names one host or several, each of which the driver gets alone', () => {
    expect(urlsOf('postgres://paxlog:p%40ss@db1:5432,db2/paxlog?target_session_attrs=read-write')).toEqual([
      'postgres://paxlog:p%40ss@db1:5432/paxlog',
      'postgres://paxlog:p%40ss@db2/paxlog',
    ])
    expect(urlsOf('postgres://paxlog@/paxlog?host=/run/postgresql')).toEqual([
      'postgres://paxlog@/paxlog?host=%2Frun%2Fpostgresql',
    ])
  })

  test.each([
    ['disable', 'sslmode=disable&uselibpqcompat=true'],
    ['allow', 'sslmode=prefer&uselibpqcompat=true'],
    ['prefer', 'sslmode=prefer&uselibpqcompat=true'],
    ['require', 'sslmode=require&uselibpqcompat=true'],
    ['verify-full', 'sslmode=verify-full&uselibpqcompat=true'],
    ['no-verify', 'sslmode=no-verify'],
  ])('means by sslmode=%s what psql means by it', (mode, given) => {
    expect(urlsOf(`postgres://db/paxlog?sslmode=${mode}`)).toEqual([`postgres://db/paxlog?${given}`])
  })

  test('with another sslmode is refused in words that name those there are', () => {
    expect(() => urlsOf('postgres://paxlog:geheim@db/paxlog?sslmode=on')).toThrow(
      /^sslmode is none of disable, allow, prefer, require, verify-ca, verify-full$/,
    )
  })

  test('is tried in clear only where encryption is a wish', () => {
    const [wished, required] = ['prefer', 'require'].map((mode) => urlsOf(`postgres://db/paxlog?sslmode=${mode}`)[0]!)
    expect(inClear(wished!)).toBe('postgres://db/paxlog?sslmode=disable&uselibpqcompat=true')
    expect(inClear(required!)).toBe(undefined)
    expect(inClear('postgres://db/paxlog')).toBe(undefined)
  })
})

test.each([
  ['Invalid URL', /written as %23/],
  ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', /PGPASSWORD$/],
  ['unable to verify the first certificate; try --use-system-ca', /^unable to .* certificate; .*sslrootcert=FILE/],
  ['The server does not support SSL connections', /sslmode=disable/],
  ['permission denied for schema public', /"paxlog doctor"/],
  ['database "x" does not exist', /^database "x" does not exist$/],
])('"%s" of driver or server is told with what to do about it', (message, told) => {
  expect(databaseReason(new DatabaseAway(new PostgresFault({ code: 'away', message })))).toMatch(told)
})
