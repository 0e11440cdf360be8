import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import argon2 from 'argon2'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { scopeNames } from '../../src/access/scopes.ts'
import { createServices } from '../../src/app/services.ts'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { isApiKey } from '../../src/lib/secret.ts'
import { command } from '../support/command.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { dist, objects, type RunOptions, start } from '../support/process.ts'

/** Runs commands on one data directory. */
function instance() {
  const dataDir = temporaryFolder()
  const paxlog = (args: string[], options: RunOptions = {}) => command([...args, '--data-dir', dataDir], options)
  const create = (username: string, ...more: string[]) =>
    paxlog(['user', 'create', '--username', username, '--password-stdin', ...more], { input: 'correct horse\n' })
  const query = (sql: string) => {
    const db = new Database(`${dataDir}/paxlog.db`, { readonly: true })
    try {
      return db.prepare(sql).all() as Record<string, unknown>[]
    } finally {
      db.close()
    }
  }
  /** Inserts an account directly, which is faster than the command. */
  async function seed(username: string, isOwner = false): Promise<void> {
    const db = openDatabase(dataDir)
    await createServices({ db }).roles.installBuiltIn()
    db.$client
      .prepare('insert into users values (?, ?, ?, ?, ?, ?, 0, 0)')
      .run(username, username, username, '', isOwner ? null : 'role-user', Number(isOwner))
    closeDatabase(db)
  }
  return { dataDir, paxlog, create, seed, query }
}

const failed = (sentence: string | RegExp) => ({
  code: 1,
  stdout: '',
  stderr: typeof sentence === 'string' ? `${sentence}\n` : expect.stringMatching(sentence),
})

describe('paxlog user', () => {
  test('create adds accounts with the default role, another role, or one owner', async () => {
    const { paxlog, create } = instance()
    expect(objects(await create('Owner', '--owner', '--display-name', 'The Owner'))).toEqual([
      { id: expect.stringMatching(/^[0-9a-z]{15}$/), username: 'Owner' },
    ])
    await create('ada')
    await create('bob', '--role', 'administrator')
    await create('cyd', '--role', 'role-administrator', '--display-name', '  Cyd Charisse ')
    const listed = await paxlog(['user', 'list'])
    expect(listed).toMatchObject({ code: 0, stderr: '' })
    const id = expect.any(String)
    expect(objects(listed)).toEqual([
      { id, username: 'ada', displayName: 'ada', roleId: 'role-user', roleName: 'User', isOwner: false },
      {
        id,
        username: 'bob',
        displayName: 'bob',
        roleId: 'role-administrator',
        roleName: 'Administrator',
        isOwner: false,
      },
      {
        id,
        username: 'cyd',
        displayName: 'Cyd Charisse',
        roleId: 'role-administrator',
        roleName: 'Administrator',
        isOwner: false,
      },
      { id, username: 'Owner', displayName: 'The Owner', roleId: null, roleName: null, isOwner: true },
    ])
    expect(listed.stdout.split('\n')[0]).toMatch(
      /^\{"id":"\w+","username":"ada","displayName":"ada","roleId":"role-user","roleName":"User","isOwner":false\}$/,
    )
    expect(await create('second', '--owner')).toMatchObject({ code: 1, stdout: '' })
    expect(await create('ADA')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/taken.*\n$/) })
    expect(await create('eve', '--role', 'pilot')).toMatchObject(
      failed('Role pilot not found. Use the id or name of a role.'),
    )
    expect(objects(await paxlog(['user', 'list']))).toHaveLength(4)
  })

  test('create rejects invalid names and passwords', async () => {
    const { paxlog, query } = instance()
    const cases: [username: string, password: string, sentence: RegExp][] = [
      ['x', 'correct horse', /^The account is not valid\. username: .*\n$/],
      ['ada lovelace', 'correct horse', /^The account is not valid\. username: /],
      ['ada', 'short', /^The account is not valid\. password: /],
      ['ada', '', /^The account is not valid\. password: /],
      ['ada', 'x'.repeat(1025), /^The account is not valid\. password: /],
      ['ada', 'é'.repeat(600), /^The account is not valid\. password: Must have at most 1024 bytes\.\n$/],
    ]
    for (const [username, password, sentence] of cases) {
      const args = ['user', 'create', '--username', username, '--password-stdin']
      expect(await paxlog(args, { input: `${password}\n` })).toMatchObject(failed(sentence))
    }
    expect(query('select * from users')).toEqual([])
  })

  test('create reads the password from the first line of stdin', async () => {
    const { paxlog, query } = instance()
    for (const [username, input] of [
      ['unix', 'pass phrase \nsecond line\n'],
      ['dos', 'pass phrase \r\n'],
      ['bare', 'pass phrase '],
    ]) {
      await paxlog(['user', 'create', '--username', username!, '--password-stdin'], { input: input! })
    }
    const hashes = query('select password_hash from users').map(({ password_hash }) => String(password_hash))
    expect(hashes).toHaveLength(3)
    for (const hash of hashes) {
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,p=1,t=2\$/)
      expect(await argon2.verify(hash, 'pass phrase ')).toBe(true)
    }
  })

  test('create does not wait for a pipe that stays open after the first line', async () => {
    const { dataDir } = instance()
    const child = start([
      dist('cli.js'),
      ...['user', 'create', '--username', 'ada', '--password-stdin', '--data-dir', dataDir],
    ])
    child.stdin!.write('correct horse\n')
    const ended = new Promise((resolve) => child.once('exit', resolve))
    expect(await Promise.race([ended, wait(15_000, 'still waiting', { ref: false })])).toBe(0)
  })

  // The program "script" provides a pseudo-terminal.
  test.runIf(existsSync('/usr/bin/script'))('create prompts in a terminal without echo', async () => {
    const { dataDir, query } = instance()
    const command = `'${process.execPath}' '${dist('cli.js')}' user create --username ada --data-dir '${dataDir}'`
    const child = start(['-qec', command, '/dev/null'], { program: '/usr/bin/script' })
    let shown = ''
    child.stdout!.on('data', (chunk) => {
      if (!shown.includes('Password: ') && `${shown}${chunk}`.includes('Password: '))
        child.stdin!.write('correct horse\r')
      shown += chunk
    })
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
    expect(shown).toMatch(/^Password: \r\n\{"id":"\w+","username":"ada"\}\r\n$/)
    const [{ password_hash: hash } = {}] = query('select password_hash from users')
    expect(await argon2.verify(String(hash), 'correct horse')).toBe(true)
  })

  test('reset-password sets a new password for users and the owner', async () => {
    const { paxlog, create, query } = instance()
    await create('owner', '--owner')
    const reset = await paxlog(['user', 'reset-password', '--username', 'OWNER', '--password-stdin'], {
      input: 'battery staple\n',
    })
    expect(objects(reset)).toEqual([{ id: expect.any(String), username: 'owner' }])
    const [{ password_hash: hash } = {}] = query('select password_hash from users')
    expect(await argon2.verify(String(hash), 'battery staple')).toBe(true)
    const args = (name: string) => ['user', 'reset-password', '--username', name, '--password-stdin']
    expect(await paxlog(args('nobody'), { input: 'battery staple\n' })).toMatchObject(
      failed('User nobody not found. "paxlog user list" lists all users.'),
    )
    expect(await paxlog(args('owner'), { input: 'short\n' })).toMatchObject(
      failed('The account is not valid. Must have at least 8 characters.'),
    )
  })

  test('set-role changes the role of users but not of the owner', async () => {
    const { paxlog, create } = instance()
    await create('owner', '--owner')
    const [ada] = objects(await create('ada'))
    const setRole = (username: string, role: string) =>
      paxlog(['user', 'set-role', '--username', username, '--role', role])
    expect(objects(await setRole('ada', 'Administrator'))).toEqual([
      { id: ada.id, username: 'ada', roleId: 'role-administrator' },
    ])
    expect(await setRole('owner', 'User')).toMatchObject(failed(/owner/))
    expect(await setRole('ada', 'Pilot')).toMatchObject(failed('Role Pilot not found. Use the id or name of a role.'))
    expect(await setRole('bob', 'User')).toMatchObject(failed(/^User bob not found\. /))
  })
})

describe('paxlog user unlink', () => {
  test('removes every link of an account to an identity provider', async () => {
    const { paxlog, seed, dataDir } = instance()
    await seed('ada')
    const db = openDatabase(dataDir)
    db.$client.exec("insert into identities select 'https://id.example.org/', 'sub', id, 0, 0 from users")
    const countIdentities = () => db.$client.prepare('select count(*) from identities').pluck().get()
    const id = db.$client.prepare('select id from users').pluck().get()
    const unlink = (username: string) => paxlog(['user', 'unlink', '--username', username])
    expect(objects(await unlink('Ada'))).toEqual([{ id, username: 'ada', unlinked: true }])
    expect(countIdentities()).toBe(0)
    expect(objects(await unlink('ada'))).toEqual([{ id, username: 'ada', unlinked: false }])
    expect(await unlink('bob')).toMatchObject(failed(/^User bob not found\. /))
    closeDatabase(db)
  })
})

describe('paxlog key', () => {
  const key = (username: string, scopes: string, name = 'test') => [
    'key',
    'create',
    ...['--username', username, '--name', name, '--scopes', scopes],
  ]

  test('create grants the requested scopes or a preset within the role', async () => {
    const { paxlog, seed } = instance()
    await seed('owner', true)
    await seed('ada')
    const createKey = async (username: string, scopes: string) => objects(await paxlog(key(username, scopes)))[0]
    const plain = await createKey('ada', 'flight.read.own, profile.read')
    expect(plain).toEqual({
      id: 1,
      name: 'test',
      key: expect.stringMatching(/^pxl_/),
      scopes: ['flight.read.own', 'profile.read'],
    })
    expect(isApiKey(plain.key)).toBe(true)
    expect((await createKey('owner', 'all')).scopes).toEqual(scopeNames)
    const all = (await createKey('ada', 'all')).scopes
    expect(all).toContain('flight.delete.own')
    expect(all).not.toContain('flight.read.any')
    const read = (await createKey('ada', 'read')).scopes
    expect(read).toContain('flight.read.own')
    expect(read).not.toContain('flight.delete.own')
  })

  test('create --airtrail adds a key for legacy responses with objects', async () => {
    const { paxlog, seed, query } = instance()
    await seed('ada')
    const created = objects(await paxlog([...key('ada', 'read', 'exporter'), '--airtrail']))[0]
    expect(Object.keys(created)).toEqual(['id', 'name', 'key', 'scopes'])
    await paxlog(key('ada', 'read'))
    expect(query('select legacy_objects from api_keys order by id')).toEqual([
      { legacy_objects: 1 },
      { legacy_objects: 0 },
    ])
    for (const listed of objects(await paxlog(['key', 'list']))) {
      expect(Object.keys(listed)).toEqual(['id', 'username', 'name', 'scopes', 'createdAt', 'lastUsedAt'])
    }
  })

  test('create rejects other scopes, an unknown user and an invalid name', async () => {
    const { paxlog, seed, query } = instance()
    await seed('ada')
    const cases: [args: string[], sentence: RegExp][] = [
      [key('ada', 'flight.read.any'), /^These scopes are unknown or beyond the role: flight\.read\.any\.\n$/],
      [key('ada', 'profile.read,flight.fly'), /^These scopes are unknown or beyond the role: flight\.fly\.\n$/],
      [key('ada', 'profile.read,all'), /unknown or beyond the role: all\.\n$/],
      [key('ada', ','), /A key needs at least one scope\.\n$/],
      [key('bob', 'read'), /^User bob not found\. /],
      [key('ada', 'read', '  '), /The name must have 1 to 100 characters, none of them U\+0000\.\n$/],
      [key('ada', 'read', 'x'.repeat(101)), /The name must have/],
    ]
    for (const [args, sentence] of cases) expect(await paxlog(args)).toMatchObject(failed(sentence))
    expect(query('select * from api_keys')).toEqual([])
  })

  test('list prints keys of one or all users without the secret, delete removes one', async () => {
    const { paxlog, seed } = instance()
    await seed('ada')
    await seed('bob')
    const { stdout } = await paxlog(key('ada', 'read', 'phone'))
    await paxlog(key('bob', 'profile.read', 'laptop'))
    const listed = await paxlog(['key', 'list'])
    expect(objects(listed)).toEqual([
      {
        id: 1,
        username: 'ada',
        name: 'phone',
        scopes: expect.any(Array),
        createdAt: expect.stringMatching(/Z$/),
        lastUsedAt: null,
      },
      {
        id: 2,
        username: 'bob',
        name: 'laptop',
        scopes: ['profile.read'],
        createdAt: expect.any(String),
        lastUsedAt: null,
      },
    ])
    expect(listed.stdout).not.toContain(JSON.parse(stdout).key)
    expect(objects(await paxlog(['key', 'list', '--username', 'BOB'])).map(({ id }) => id)).toEqual([2])
    expect(await paxlog(['key', 'list', '--username', 'eve'])).toMatchObject(failed(/^User eve not found\. /))
    expect(objects(await paxlog(['key', 'delete', '--id', '1']))).toEqual([{ id: 1, deleted: true }])
    expect(await paxlog(['key', 'delete', '--id', '1'])).toMatchObject(failed('This API key does not exist.'))
    expect(objects(await paxlog(['key', 'list'])).map(({ id }) => id)).toEqual([2])
  })
})
