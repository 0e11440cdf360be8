import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createServices } from '../../src/app/services.ts'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { shippedVersion } from '../../src/domain/reference/shipped.ts'
import { command } from '../support/command.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { cli, dist } from '../support/process.ts'
import { manyFlights, places } from '../support/travel.ts'

/** Runs a command with the given stdin. */
async function paxlog(dataDir: string, args: string[], input = '', run = command) {
  const { code, stdout: out, stderr: err } = await run(args, { env: { DATA_DIR: dataDir }, input })
  return { code, out, err }
}

/** A data directory with two users and a few airports, without the shipped reference data. */
async function preparedFolder(flights = 0): Promise<string> {
  const folder = temporaryFolder()
  const db = openDatabase(folder)
  await createServices({ db }).roles.installBuiltIn()
  db.$client.prepare("insert into settings (key, value) values ('reference_version', ?)").run(shippedVersion())
  db.$client.exec(`insert into users (id, username, display_name, password_hash, role_id, is_owner, created_at, updated_at)
    values ('u1', 'Mira', 'Mira', 'none', 'role-user', 0, 0, 0), ('u2', 'noor', 'Noor', 'none', 'role-user', 0, 0, 0)`)
  manyFlights(db, places(db), 'u1', flights)
  closeDatabase(db)
  return folder
}

const CSV =
  'flight_date,flight_code,departure_airport_code,arrival_airport_code,ownership\n2024-05-03,LX2084,ZRH,LIS,mine\n2024-05-04,LX1,QQQ,QQR,mine\n2024-05-05,LX2,LIS,ZRH,friend\n'
const REPORT = {
  rows: 3,
  created: 1,
  duplicates: 0,
  rejected: [
    {
      row: 2,
      reason: 'Airport code QQQ is not known.',
      line: 3,
      reasons: ['Airport code QQQ is not known.', 'Airport code QQR is not known.'],
    },
    {
      row: 3,
      reason: expect.stringContaining('friend'),
      line: 4,
      reasons: [expect.stringContaining('friend')],
    },
  ],
  dryRun: false,
}

function fileIn(folder: string, content: string, name = 'flights.csv'): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

describe('paxlog import', () => {
  test('prints the report as one line on stdout', async () => {
    const folder = await preparedFolder()
    const file = fileIn(folder, CSV)
    const { code, out, err } = await paxlog(folder, ['import', file, '--username', 'mira'], '', cli)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^\{.*\}\n$/)
    expect(JSON.parse(out)).toEqual(REPORT)
    const again = await paxlog(folder, ['import', file, '--username', 'Mira'])
    expect(JSON.parse(again.out)).toMatchObject({ created: 0, duplicates: 1 })
  })

  test('rejects a missing file before it opens the database', async () => {
    const folder = temporaryFolder()
    const { code, out, err } = await paxlog(folder, ['import', join(folder, 'missing.csv'), '--username', 'mira'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/missing\.csv cannot be read: ENOENT.*\.\n$/)
    expect(readdirSync(folder)).toEqual([])
  })

  test('supports "-" for stdin, --dry-run and --all-owners', async () => {
    const folder = await preparedFolder()
    const dry = await paxlog(folder, ['import', '-', '--username', 'mira', '--dry-run'], CSV, cli)
    expect([dry.code, JSON.parse(dry.out)]).toEqual([0, { ...REPORT, dryRun: true }])
    const all = await paxlog(folder, ['import', '-', '--username', 'mira', '--all-owners', '--format', 'byair'], CSV)
    expect(JSON.parse(all.out)).toMatchObject({ created: 2, duplicates: 0 })
  })

  test('supports --columns and --date-format', async () => {
    const folder = await preparedFolder()
    const file = fileIn(folder, 'Tag;Start;Ende\n03/05/2024;ZRH;LIS\n', 'any.csv')
    const columns = ['--columns', '{"date":"tag","from":"start","to":"ende"}']
    const unclear = await paxlog(folder, ['import', file, '--username', 'mira', ...columns])
    expect([unclear.code, unclear.err]).toEqual([
      1,
      expect.stringMatching(/Choose one with dateFormat: dmy or mdy\.\n$/),
    ])
    const { out } = await paxlog(folder, ['import', file, '--username', 'mira', ...columns, '--date-format', 'dmy'])
    expect(JSON.parse(out)).toMatchObject({ rows: 1, created: 1 })
  })

  test('supports --mode restore and --file-user', async () => {
    const folder = await preparedFolder()
    const users = [
      { id: 'a', username: 'MIRA', displayName: 'M' },
      { id: 'b', username: 'noor', displayName: 'N' },
    ]
    const airport = { icao: 'XQ02', name: 'New', lat: 1, lon: 2, tz: 'Asia/Tokyo', continent: 'AS', country: 'JP' }
    const flight = { date: '2024-05-03', from: airport, to: 'LPPT', passengers: [{ userId: 'a' }, { userId: 'b' }] }
    const file = fileIn(folder, JSON.stringify({ users, flights: [flight] }), 'backup.json')
    const restored = await paxlog(folder, ['import', file, '--username', 'mira', '--mode', 'restore'])
    expect(JSON.parse(restored.out)).toMatchObject({ created: 1, rejected: [] })
    const { out } = await paxlog(folder, ['export', '--all'])
    expect(JSON.parse(out).users.map(({ id }: { id: string }) => id)).toEqual(['u1', 'u2'])
    const chosen = await paxlog(folder, ['import', file, '--username', 'mira', '--file-user', 'b'])
    expect(JSON.parse(chosen.out)).toMatchObject({ duplicates: 1 })
  })

  test('exits with 2 and a usage line for wrong usage', async () => {
    const folder = await preparedFolder()
    const file = fileIn(folder, CSV)
    const wrong = [
      ['import'],
      ['import', file],
      ['import', '--username', 'mira'],
      ['import', file, file, '--username', 'mira'],
      ['import', file, '--username', 'mira', '--format', 'xlsx'],
      ['import', file, '--username', 'mira', '--format', 'csv', '--columns', '{'],
      ['import', file, '--username', 'mira', '--format', 'csv', '--date-format', 'ymd'],
      ['import', file, '--username', 'mira', '--mode', 'merge'],
      ['import', file, '--username', 'mira', '--mode', 'restore'],
      ['import', file, '--username', 'mira', '--file-user', 'noor'],
      ['import', file, '--username', 'mira', '--unknown'],
    ]
    for (const args of wrong) {
      const { code, out, err } = await paxlog(folder, args)
      expect([args.slice(1), code, out]).toEqual([args.slice(1), 2, ''])
      expect(err).toMatch(/^[^\n]+\nusage: paxlog import FILE --username NAME/)
    }
  })

  test('names the option that has an invalid value', async () => {
    const { err } = await paxlog(temporaryFolder(), ['import', '-', '--username', 'mira', '--date-format', 'ymd'])
    expect(err).toMatch(/^--date-format: Must be one of iso, dmy, mdy\.\n/)
  })

  test('exits with 1 and a one-line message for failures', async () => {
    const folder = await preparedFolder()
    const failures = [
      ['import', join(folder, 'nothing.csv'), '--username', 'mira'],
      ['import', fileIn(folder, CSV), '--username', 'nobody'],
      ['import', fileIn(folder, 'a,b\n1,2', 'other.csv'), '--username', 'mira'],
      ['import', fileIn(folder, '', 'empty.csv'), '--username', 'mira'],
    ]
    for (const args of failures) {
      const { code, out, err } = await paxlog(folder, args)
      expect([args[1], code, out]).toEqual([args[1], 1, ''])
      expect(err).toMatch(/^[^\n]+\.\n$/)
    }
  })

  const script = '/usr/bin/script'
  test.skipIf(process.platform !== 'linux' || !existsSync(script))('shows its progress in a terminal', async () => {
    const folder = await preparedFolder()
    const command = `"${process.execPath}" "${dist('cli.js')}" import "${fileIn(folder, CSV)}" --username mira 2>&1`
    const env = { PATH: process.env.PATH, DATA_DIR: folder }
    const child = spawn(script, ['-qefc', command, '/dev/null'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    await new Promise((resolve) => child.on('close', resolve))
    expect(out).toContain('\r0 of 3 rows')
    expect(out).toMatch(/\r3 of 3 rows\r?\n\{"rows":3/)
  })

  test('is listed in the help and has its own help', async () => {
    const folder = temporaryFolder()
    const { code, out } = await paxlog(folder, ['import', '--help'])
    expect([code, out.startsWith('usage: paxlog import FILE')]).toEqual([0, true])
    const overview = await paxlog(folder, ['--help'])
    expect(overview.out).toMatch(/\n {2}import .*\n {2}export /)
  })
})

describe('paxlog export', () => {
  test('prints the flights of one or all users as JSON or YAML', async () => {
    const folder = await preparedFolder(3)
    const { code, out, err } = await paxlog(folder, ['export', '--username', 'MIRA'], '', cli)
    expect([code, err, out]).toEqual([0, '', `${JSON.stringify(JSON.parse(out), null, 2)}\n`])
    expect(JSON.parse(out).flights).toHaveLength(3)
    expect((await paxlog(folder, ['export', '--all'])).out).toBe(out)
    expect(JSON.parse((await paxlog(folder, ['export', '--username', 'noor'])).out)).toEqual({ users: [], flights: [] })
    expect((await paxlog(folder, ['export', '--all', '--format', 'yaml'])).out).toMatch(/^users:\n {2}- id: "u1"\n/)
  })

  test('supports the filter of the API for one or all users', async () => {
    const folder = await preparedFolder(30)
    const dates = async (...args: string[]) =>
      JSON.parse((await paxlog(folder, ['export', ...args])).out).flights.map(({ date }: { date: string }) => date)
    const whole = await dates('--all')
    expect(new Set(whole)).toEqual(new Set(['2000-01-01', '2000-01-02']))
    const later = whole.filter((date: string) => date === '2000-01-02')
    expect(await dates('--all', '--filter', 'dateFrom=2000-01-02')).toEqual(later)
    expect(await dates('--username', 'mira', '--filter', 'dateFrom=2000-01-02&text=lx')).toEqual(later)
    expect(await dates('--username', 'mira', '--filter', 'flightNumber=lx-3')).toEqual(['2000-01-01'])
    const { err } = await paxlog(folder, ['export', '--all', '--filter', 'completed=perhaps'])
    expect(err).toContain('--filter: completed must be one of true, false.')
  })

  test('writes a file and prints its name and the number of flights', async () => {
    const folder = await preparedFolder(3)
    const file = join(folder, 'out.json')
    const { code, out } = await paxlog(folder, ['export', file, '--all'])
    expect([code, JSON.parse(out)]).toEqual([0, { file, flights: 3 }])
    expect(readFileSync(file, 'utf8')).toBe((await paxlog(folder, ['export', '--all'])).out)
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([])
  })

  test('exits with 1 and leaves no file if it cannot write', async () => {
    const folder = await preparedFolder(3)
    const { code, out, err } = await paxlog(folder, ['export', join(folder, 'no/such/folder.json'), '--all'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^[^\n]+\.\n$/)
    expect(existsSync(join(folder, 'no'))).toBe(false)
  })

  test('reports a closed pipe', async () => {
    const folder = await preparedFolder(3000)
    const env = { PATH: process.env.PATH, DATA_DIR: folder }
    const child = spawn(process.execPath, [dist('cli.js'), 'export', '--all'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let err = ''
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.stdout.once('data', () => child.stdout.destroy())
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect([code, err.split('\n').length]).toEqual([1, 2])
    expect(err).toMatch(/^The document could not be written: .*EPIPE/)
  })

  test('exits with 2 for wrong usage and with 1 for an unknown user', async () => {
    const folder = await preparedFolder()
    for (const args of [
      ['export'],
      ['export', '--all', '--username', 'mira'],
      ['export', '--all', '--format', 'xml'],
      ['export', 'a', 'b', '--all'],
      ['export', '--all', '--filter', 'contry=CH'],
      ['export', '--all', '--filter', 'country=CH&country=PT'],
      ['export', '--all', '--filter', 'completed=perhaps'],
    ]) {
      const { code, err } = await paxlog(folder, args)
      expect([args, code]).toEqual([args, 2])
      expect(err).toContain('usage: paxlog export [FILE] (--username NAME | --all)')
    }
    expect((await paxlog(folder, ['export', '--username', 'nobody'])).code).toBe(1)
  })
})
