import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { command } from '../support/command.ts'
import { openAgain, temporaryFolder } from '../support/paxlog.ts'
import { loadedFolder, root } from '../support/process.ts'

const guide = readFileSync(join(root, 'docs/coming-from-airtrail.md'), 'utf8')

interface GuideCommand {
  args: string[]
  input: string
}

/** The `npx paxlog` lines of the guide, in order; the guide quotes only text that is piped in. */
const commands: GuideCommand[] = [...guide.matchAll(/^(?:echo '(?<input>[^']*)' \| )?npx paxlog (?<args>.*)$/gm)].map(
  ({ groups }) => ({ args: groups!.args!.split(' '), input: `${groups!.input ?? ''}\n` }),
)

const backup = {
  users: ['ada', 'ben', 'cleo'].map((username) => ({ id: `at-${username}`, username, displayName: `${username}!` })),
  flights: [
    {
      date: '2024-05-03',
      from: { icao: 'LSZH', iata: 'ZRH' },
      to: { icao: 'LPPT', iata: 'LIS' },
      airline: { name: 'Swiss', icao: 'SWR', iata: 'LX' },
      aircraft: { name: 'Airbus A220-300', icao: 'BCS3' },
      flightNumber: 'LX2084',
      passengers: [{ userId: 'at-ada' }, { userId: 'at-cleo' }],
    },
    { date: '2024-06-01', from: 'LSZH', to: 'EDDF', passengers: [{ userId: 'at-ben' }] },
    { date: '2024-06-02', from: 'LSZH', to: 'QQQQ', passengers: [{ userId: 'at-ben' }] },
  ],
}

test('the commands of the AirTrail guide migrate accounts, flights and a client', async () => {
  const dataDir = loadedFolder()
  const file = join(temporaryFolder(), 'airtrail.json')
  writeFileSync(file, JSON.stringify(backup))
  const outputs: Record<string, unknown>[] = []
  for (const { args, input } of commands) {
    const paths = args.map((arg) => (arg === 'airtrail.json' ? file : arg))
    const { code, stdout, stderr } = await command(paths, { env: { DATA_DIR: dataDir }, input })
    expect([args.join(' '), code, stderr]).toEqual([args.join(' '), 0, ''])
    outputs.push(JSON.parse(stdout))
  }
  const rejected = [{ row: 3, reason: expect.stringContaining('QQQQ') }]
  expect(outputs).toMatchObject([
    { username: 'ada' },
    { username: 'ben' },
    { rows: 3, created: 2, duplicates: 0, rejected, dryRun: true },
    { rows: 3, created: 2, duplicates: 0, rejected, dryRun: false },
    { rows: 3, created: 0, duplicates: 1, dryRun: true },
    { name: 'dashboard', scopes: ['flight.read.own', 'stats.read'] },
  ])

  const { request } = await openAgain(dataDir)
  const headers = { authorization: `Bearer ${outputs.at(-1)!.key}` }
  const { status, body } = await request({ url: '/api/flight/list', headers })
  expect(status).toBe(200)
  expect(body.flights).toMatchObject([{ airline: { icao: 'SWR' }, aircraft: { icao: 'BCS3' } }])
  expect(body.flights[0].seats).toEqual(body.flights[0].passengers)
  const people = body.flights[0].passengers.map(
    ({ user, guestName }: { user: { username: string } | null; guestName: string }) => user?.username ?? guestName,
  )
  expect(people).toEqual(['ada', 'cleo!'])
})
