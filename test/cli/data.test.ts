import { copyFileSync, existsSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { command } from '../support/command.ts'
import { closedDatabase, contentsOf } from '../support/database.ts'
import { PEAK_AT_END, peakIn } from '../support/memory.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { cli, dist, loadedFolder, objects, run, serve } from '../support/process.ts'

const OWNER = `
  insert into users (id, username, display_name, password_hash, role_id, is_owner, created_at, updated_at)
  values ('o', 'ada', 'Ada', '', null, 1, 0, 0)`

function execute(file: string, sql: string): void {
  const db = new Database(file)
  db.exec(sql)
  db.close()
}

describe('paxlog backup', () => {
  test('copies the database', async () => {
    const { dataDir } = closedDatabase()
    const file = join(temporaryFolder(), 'copy.db')
    const finished = await cli(['backup', file, '--data-dir', dataDir])
    expect(finished).toMatchObject({ code: 0, stderr: '' })
    expect(objects(finished)).toEqual([{ file, bytes: expect.any(Number), integrity: 'ok' }])
    const again = await command(['backup', file, '--data-dir', dataDir])
    expect(again).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `${file} already exists. Choose another name.\n`,
    })
  })

  test('uses little memory for a database of any size', { timeout: 600_000 }, async () => {
    const { dataDir, file } = closedDatabase()
    execute(
      file,
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000)
      insert into settings select 'key ' || i, hex(randomblob(600)) from n`,
    )
    const peakOf = async (...args: string[]) => peakIn((await run([...PEAK_AT_END, ...args])).stderr)
    const copy = join(temporaryFolder(), 'copy.db')
    const [bare, backup] = [
      await peakOf('-e', '0'),
      await peakOf(dist('cli.js'), 'backup', copy, '--data-dir', dataDir),
    ]
    expect(statSync(copy).size).toBeGreaterThan(30_000_000)
    // With the caches of the server it would be more than 40 MB.
    expect(backup - bare).toBeLessThan(30)
  })

  test('fails without a database and creates none', async () => {
    const dataDir = join(temporaryFolder(), 'data')
    const file = join(temporaryFolder(), 'copy.db')
    expect(await command(['backup', file, '--data-dir', dataDir])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `There is no database in ${dataDir}.\n`,
    })
    expect([existsSync(dataDir), existsSync(file)]).toEqual([false, false])
  })

  test('creates a copy that restores everything', async () => {
    const { dataDir, file } = closedDatabase((db) => db.$client.exec(OWNER))
    const copy = join(temporaryFolder(), 'copy.db')
    await command(['backup', copy, '--data-dir', dataDir])
    truncateSync(file, 100)
    expect((await command(['user', 'list', '--data-dir', dataDir])).code).toBe(1)
    copyFileSync(copy, file)
    expect(objects(await command(['user', 'list', '--data-dir', dataDir]))).toMatchObject([{ username: 'ada' }])
  })
})

describe('paxlog reference update', () => {
  test('reads a file per kind and rejects a missing or broken one', async () => {
    const { dataDir } = closedDatabase()
    const folder = temporaryFolder()
    const [good, broken] = [join(folder, 'good.json'), join(folder, 'broken.json')]
    writeFileSync(good, '[{"name": "Brand New Air", "icao": "BNA"}]')
    writeFileSync(broken, '[{"icao": "BNA"}]')
    const update = (...args: string[]) => command(['reference', 'update', ...args, '--data-dir', dataDir])
    expect(objects(await update('--airlines', good))).toEqual([
      { kind: 'airlines', inserted: 1, updated: 0, unchanged: 0, skipped: 0 },
    ])
    expect(await update('--airlines', join(folder, 'missing.json'))).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/missing\.json cannot be read: ENOENT.*\.\n$/),
    })
    expect(await update('--airlines', broken)).toMatchObject({ code: 1, stdout: '' })
  })
})

test('paxlog reference check lists flights whose airport did not exist on their day', async () => {
  const dataDir = loadedFolder()
  execute(
    join(dataDir, 'paxlog.db'),
    `insert into flights (date, date_precision, from_id, to_id, distance_meters, completed_from, created_at, updated_at)
     select date, 'day', a.id, b.id, 1, 1, '', '' from airports a, airports b,
       (select '1995-05-03' as date union select '2005-05-03') where a.iata = 'HKG' and b.iata = 'ZRH'`,
  )
  const checked = await command(['reference', 'check', '--data-dir', dataDir])
  expect(checked).toMatchObject({ code: 0, stderr: '' })
  const [line, last] = objects(checked)
  expect(line).toMatchObject({
    date: '1995-05-03',
    problems: [{ member: 'from', icao: 'VHHH', validFrom: '1998-07-06', replacement: { icao: 'VHHX' } }],
  })
  expect(last).toEqual({ flights: 1 })
})

describe('paxlog reference update --routes', () => {
  test('replaces all routes or changes nothing', async () => {
    const { dataDir, file } = closedDatabase()
    const folder = temporaryFolder()
    const [first, second, broken] = ['first.csv', 'second.csv.gz', 'broken.csv'].map((name) => join(folder, name))
    const rows = 'airline,number,since,airports\nSWR,14,,LSZH-KJFK\nEZY,8001,,LIMC-EGKK\n'
    writeFileSync(first!, rows)
    writeFileSync(second!, gzipSync(rows.replace('EZY', 'BAW').replace('KJFK', 'KLAX')))
    writeFileSync(broken!, `${rows}SWR,15,soon,LSZH-KJFK\n`)
    const update = (path: string) => command(['reference', 'update', '--routes', path, '--data-dir', dataDir])
    const counts = { kind: 'routes', updated: 0, unchanged: 0, skipped: 0, removed: 0 }
    expect(objects(await update(first!))).toEqual([{ ...counts, inserted: 2 }])
    expect(objects(await update(second!))).toEqual([{ ...counts, inserted: 1, updated: 1, removed: 1 }])
    expect(await update(broken!)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('line 4: since'),
    })
    const db = new Database(file)
    expect(db.prepare('select airline from route_blocks order by airline').pluck().all()).toEqual(['BAW', 'SWR'])
    db.close()
  })
})

describe('paxlog doctor', () => {
  const doctor = async (dataDir: string, env = {}) => {
    const finished = await command(['doctor', '--data-dir', dataDir], { env })
    const lines = objects(finished)
    return { ...finished, lines, failed: lines.filter(({ ok }) => !ok).map(({ check }) => check) }
  }

  test('passes all checks on a healthy instance', async () => {
    const dataDir = loadedFolder()
    execute(join(dataDir, 'paxlog.db'), OWNER)
    const before = contentsOf(dataDir)
    const { code, stderr, lines, failed } = await doctor(dataDir)
    expect([code, stderr, failed]).toEqual([0, '', []])
    expect(lines.map(({ check }) => check)).toEqual([
      'settings',
      'directory',
      'database',
      'integrity',
      'foreign keys',
      'schema',
      'reference data',
      'owner',
      'passkeys',
      'deleted flights',
    ])
    for (const line of lines)
      expect(line).toEqual({ check: line.check, ok: true, message: expect.stringMatching(/\.$/) })
    expect(contentsOf(dataDir)).toEqual(before)
  })

  test('counts the deleted flights that can be restored', async () => {
    const dataDir = loadedFolder()
    const deletedAt = (daysAgo: number) => Date.now() - daysAgo * 86_400_000
    const row = (seq: number, at: number) => `(${seq}, ${seq}, ${at}, 1, 2, '{}')`
    execute(
      join(dataDir, 'paxlog.db'),
      `${OWNER}; insert into deleted_flights (seq, flight_id, deleted_at, from_id, to_id, content)
       values ${row(1, deletedAt(31))}, ${row(2, deletedAt(29))}, ${row(3, deletedAt(0))}`,
    )
    const messageOf = async (environment: Record<string, string> = {}) =>
      (await doctor(dataDir, environment)).lines.at(-1).message
    expect(await messageOf()).toBe('2 deleted flights can be restored.')
    expect(await messageOf({ DELETED_FLIGHTS_DAYS: '0' })).toBe('0 deleted flights can be restored.')
  })

  test('W17: reports passkeys that belong to another host than BASE_URL', async () => {
    const dataDir = loadedFolder()
    const row = (id: number, host: string) => `((select id from users), 'Key', x'0${id}', x'00', 0, '${host}', 0)`
    execute(
      join(dataDir, 'paxlog.db'),
      `${OWNER}; insert into passkeys (user_id, name, credential_id, public_key, counter, rp_id, created_at)
       values ${row(1, 'fly.example.org')}, ${row(2, 'fly.example.org')}, ${row(3, 'localhost')}`,
    )
    const resultAt = async (url: string) => {
      const { lines, code } = await doctor(dataDir, { BASE_URL: url })
      return { code, ...lines.find(({ check }) => check === 'passkeys') }
    }
    const lost = (host: string) =>
      expect.stringContaining(`BASE_URL is https://${host}, where these passkeys do not work`)
    expect(await resultAt('https://fly.example.org')).toMatchObject({
      code: 1,
      ok: false,
      message: lost('fly.example.org'),
    })
    const moved = await resultAt('https://other.example.org')
    expect(moved.message).toContain('2 passkeys of 1 user for fly.example.org, 1 passkey of 1 user for localhost.')
    execute(join(dataDir, 'paxlog.db'), "delete from passkeys where rp_id = 'localhost'")
    expect(await resultAt('https://fly.example.org/log')).toMatchObject({ code: 0, message: '2 passkeys can be used.' })
    expect(await resultAt('http://192.0.2.1')).toMatchObject({ code: 1, ok: false })
  })

  test('reports missing reference data and a missing owner', async () => {
    const { dataDir } = closedDatabase()
    expect(await doctor(dataDir)).toMatchObject({ code: 1, failed: ['reference data', 'owner'] })
  })

  test('creates nothing in an empty folder', async () => {
    const folder = temporaryFolder()
    expect(await doctor(join(folder, 'data'))).toMatchObject({ code: 1, failed: ['directory', 'database'] })
    expect(readdirSync(folder)).toEqual([])
  })

  test('reports damage, dangling references and a newer schema', async () => {
    const { dataDir, file } = closedDatabase()
    execute(
      file,
      `pragma foreign_keys = off; insert into preferences select 'nobody', '', '', '', '', '', '', '', '', '', '';
       insert into __drizzle_migrations (hash, created_at) values ('of the future', 1)`,
    )
    expect((await doctor(dataDir)).failed).toEqual(['foreign keys', 'schema', 'reference data', 'owner'])
    truncateSync(file, 8192)
    const damaged = await doctor(dataDir)
    expect(damaged).toMatchObject({ code: 1, failed: ['database'] })
    expect(damaged.lines.at(-1).message).toContain('It was not changed')
  })

  test('stops at invalid settings', async () => {
    const { dataDir } = closedDatabase()
    expect(await doctor(dataDir, { PORT: 'high' })).toMatchObject({ code: 1, failed: ['settings'] })
  })
})

test('paxlog copy names the option of an unusable database', async () => {
  const { dataDir } = closedDatabase()
  const url = 'postgres://paxlog:geheim@127.0.0.1:1/paxlog'
  const finished = await cli(['copy', '--to', url, '--data-dir', dataDir])
  expect([finished.code, finished.stdout]).toEqual([1, ''])
  expect(finished.stderr).toMatch(/^The database of --to cannot be used: .*ECONNREFUSED.*\n$/)
  expect(finished.stderr).not.toContain('geheim')
})

describe('while a server runs', () => {
  test('commands work on the same data', async () => {
    const { dataDir, origin, port, child, exited } = await serve()
    const paxlog = (...args: string[]) => command([...args, '--data-dir', dataDir], { input: 'correct horse\n' })
    const [owner] = objects(await paxlog('user', 'create', '--owner', '--username', 'ada', '--password-stdin'))
    const [made] = objects(await paxlog('key', 'create', '--username', 'ada', '--name', 'x', '--scopes', 'all'))
    const me = () => fetch(`${origin}/api/v1/me`, { headers: { authorization: `Bearer ${made.key}` } })
    const answer = await me()
    expect(answer.status).toBe(200)
    expect(JSON.stringify(await answer.json())).toContain(owner.id)
    expect((await paxlog('backup', join(temporaryFolder(), 'copy.db'))).code).toBe(0)
    expect((await paxlog('doctor')).code).toBe(0)
    // Run one command in a separate process, as in production.
    const updated = await cli(['reference', 'update', '--data-dir', dataDir])
    expect(updated).toMatchObject({ code: 0, stderr: '' })
    const same = { inserted: 0, updated: 0, unchanged: expect.any(Number), skipped: 0 }
    expect(objects(updated)).toEqual([
      ...['airports', 'airlines', 'aircraft'].map((kind) => ({ kind, ...same })),
      { kind: 'routes', ...same, removed: 0 },
    ])
    const env = { HOST: '127.0.0.1', PORT: String(port) }
    expect(await cli(['healthcheck'], { env })).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' })
    expect((await paxlog('key', 'delete', '--id', String(made.id))).code).toBe(0)
    expect((await me()).status).toBe(401)
    child.kill('SIGTERM')
    expect(await exited).toEqual({ code: 0, signal: null })
    expect(Object.keys(contentsOf(dataDir))).toEqual(['paxlog.db'])
  })

  test('a command fails with a message if the database stays locked', async () => {
    const { dataDir, file } = closedDatabase((db) => db.$client.exec(OWNER))
    execute(file, "insert into roles values ('r', 'R', 'r', null, '[]', 1, 0, 0)")
    const holder = new Database(file)
    holder.exec('begin immediate')
    const finished = await command([
      ...['key', 'create', '--username', 'ada', '--name', 'x', '--scopes', 'all'],
      ...['--data-dir', dataDir],
    ])
    holder.exec('rollback')
    holder.close()
    expect(finished).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Another program is writing to the database, so nothing was changed. Try again in a moment.\n',
    })
  })
})
