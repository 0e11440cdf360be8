import { describe, expect, test } from 'vitest'
import { DatabaseUnreachable, describeReason, PostgresError } from '../../src/db/postgres/errors.ts'
import { splitHosts, withoutTls } from '../../src/workers/postgres/hosts.ts'

describe('the URL of a database', () => {
  test('is split by host', () => {
    expect(splitHosts('postgres://paxlog:p%40ss@db1:5432,db2/paxlog?target_session_attrs=read-write')).toEqual([
      'postgres://paxlog:p%40ss@db1:5432/paxlog',
      'postgres://paxlog:p%40ss@db2/paxlog',
    ])
    expect(splitHosts('postgres://paxlog@/paxlog?host=/run/postgresql')).toEqual([
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
  ])('treats sslmode=%s like psql', (mode, expected) => {
    expect(splitHosts(`postgres://db/paxlog?sslmode=${mode}`)).toEqual([`postgres://db/paxlog?${expected}`])
  })

  test('is rejected with the valid modes if sslmode is unknown', () => {
    expect(() => splitHosts('postgres://paxlog:geheim@db/paxlog?sslmode=on')).toThrow(
      /^sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full$/,
    )
  })

  test('falls back to plain text only for sslmode=prefer', () => {
    const [prefer, required] = ['prefer', 'require'].map(
      (mode) => splitHosts(`postgres://db/paxlog?sslmode=${mode}`)[0]!,
    )
    expect(withoutTls(prefer!)).toBe('postgres://db/paxlog?sslmode=disable&uselibpqcompat=true')
    expect(withoutTls(required!)).toBe(undefined)
    expect(withoutTls('postgres://db/paxlog')).toBe(undefined)
  })
})

test.each([
  ['Invalid URL', /as %23/],
  ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', /PGPASSWORD$/],
  ['unable to verify the first certificate; try --use-system-ca', /^unable to .* certificate; .*sslrootcert=FILE/],
  ['The server does not support SSL connections', /sslmode=disable/],
  ['permission denied for schema public', /"paxlog doctor"/],
  ['database "x" does not exist', /^database "x" does not exist$/],
])('"%s" is reported with advice', (message, advice) => {
  expect(describeReason(new DatabaseUnreachable(new PostgresError({ code: 'unreachable', message })))).toMatch(advice)
})
