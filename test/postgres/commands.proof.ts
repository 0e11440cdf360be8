import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allCommands } from '../../src/cli/run.ts'
import { postgresClient } from '../../src/db/postgres/client.ts'
import { command } from '../support/command.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { objects } from '../support/process.ts'

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

/** Tested in `copy.proof.ts`. */
const ENGINE_COMMANDS = ['backup', 'copy', 'doctor']
/** Independent of the database. */
const PROGRAM_COMMANDS = ['serve', 'healthcheck', 'openapi', 'version']

const AIRPORTS = `id,ident,type,name,latitude_deg,longitude_deg,continent,iso_country,municipality,icao_code,iata_code
999001,XQ01,small_airport,Field of Gold,47.1,8.1,EU,CH,Nowhere,XQ01,
`
const ROUTES = 'airline,number,since,airports\nSWR,14,,LSZH-KJFK\nEZY,8001,,LIMC-EGKK\n'
const CSV =
  'date,origin,destination,ticket_class,flight_number,notes\n2024-05-03,LSZH,LPPT,,LX2084,first\n2024-05-04,ZRH,QQQ,,LX1,\n'

/** Runs every command and returns its exit code and output. */
async function runAll(env: Record<string, string>): Promise<[name: string, code: number | null, output: string][]> {
  const folder = temporaryFolder()
  const file = (name: string, content = '') => {
    const path = join(folder, name)
    if (content) writeFileSync(path, content)
    return path
  }
  const outputs: [string, number | null, string][] = []
  const paxlog = async (args: string[], input = 'a long pass phrase\n') => {
    const finished = await command(args, { env, input })
    const text = `${finished.stdout}${finished.stderr}`
      .replaceAll(folder, 'FOLDER')
      .replace(/pxl_\w+/g, 'KEY')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'INSTANT')
      // PostgreSQL does not reuse ids of rolled back rows.
      .replace(/"(\w*[iI]d)":\s*("[0-9a-z]{15}"|\d+)/g, '"$1":ID')
      .replace(/"password":"\w+"/g, '"password":SECRET')
    outputs.push([
      args
        .join(' ')
        .replaceAll(folder, 'FOLDER')
        .replace(/--id \d+/, '--id N'),
      finished.code,
      text,
    ])
    return finished
  }
  await paxlog(['reference', 'update'])
  await paxlog(['demo'])
  await paxlog(['demo'])
  await paxlog(['user', 'create', '--owner', '--username', 'second', '--password-stdin'])
  await paxlog(['user', 'create', '--username', 'Bob', '--role', 'administrator', '--password-stdin'])
  await paxlog(['user', 'create', '--username', 'bob', '--password-stdin'])
  await paxlog(['user', 'set-role', '--username', 'bob', '--role', 'role-user'])
  await paxlog(['user', 'set-role', '--username', 'nobody', '--role', 'role-user'])
  await paxlog(['user', 'reset-password', '--username', 'bob', '--password-stdin'], 'another pass phrase\n')
  await paxlog(['user', 'unlink', '--username', 'bob'])
  await paxlog(['user', 'list'])
  const [{ id }] = objects(await paxlog(['key', 'create', '--username', 'bob', '--name', 'Board', '--scopes', 'read']))
  await paxlog(['key', 'list'])
  await paxlog(['key', 'list', '--username', 'BOB'])
  await paxlog(['key', 'delete', '--id', String(id)])
  await paxlog(['key', 'delete', '--id', String(id)])
  const csv = file('flights.csv', CSV)
  await paxlog(['import', csv, '--username', 'bob', '--dry-run'])
  await paxlog(['import', csv, '--username', 'bob'])
  await paxlog(['import', '-', '--username', 'bob'], CSV)
  await paxlog(['export', '--username', 'bob'])
  await paxlog(['export', '--all', '--format', 'yaml', '--filter', 'country=JP', file('all.yaml')])
  const backup = file('all.json')
  await paxlog(['export', '--all', backup])
  await paxlog(['import', backup, '--username', 'bob', '--mode', 'restore', '--dry-run'])
  await paxlog([
    'reference',
    'update',
    '--airlines',
    file('airlines.json', '[{"name": "Brand New Air", "icao": "BNA"}]'),
  ])
  await paxlog(['reference', 'update', '--aircraft', file('aircraft.json', '[{"name": "Kite", "icao": "KITE"}]')])
  await paxlog(['reference', 'update', '--airlines', file('broken.json', '[{"icao": "BNA"}]')])
  await paxlog(['reference', 'update', '--airports', file('airports.csv', AIRPORTS)])
  await paxlog(['reference', 'update', '--routes', file('routes.csv', ROUTES)])
  await paxlog(['reference', 'check'])
  await paxlog(['activity'])
  await paxlog(['activity', '--username', 'bob'])
  await paxlog(['activity', '--since', '2999-01-01'])
  return outputs
}

test('every command has the same output on PostgreSQL and SQLite', async () => {
  const administration = postgresClient(postgres.url('postgres'), { name: '' })
  administration.exec('create database commands')
  administration.close()
  const onSqlite = await runAll({ DATA_DIR: temporaryFolder() })
  const onPostgres = await runAll({ DATA_DIR: temporaryFolder(), DATABASE_URL: postgres.url('commands') })
  for (const [index, step] of onSqlite.entries()) expect(onPostgres[index]).toEqual(step)
  const names = onSqlite.map(([name]) => name)
  for (const { name } of await allCommands()) {
    if ([...ENGINE_COMMANDS, ...PROGRAM_COMMANDS].includes(name)) continue
    expect([name, names.some((each) => each.startsWith(name))]).toEqual([name, true])
  }
  // The number of commands that fail as expected.
  expect(onPostgres.filter(([, code]) => code !== 0).map(([name]) => name)).toHaveLength(6)
})
