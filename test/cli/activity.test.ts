import { expect, test } from 'vitest'
import { operator as theOperator } from '../../src/access/caller.ts'
import { createServices } from '../../src/app/services.ts'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { command } from '../support/command.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { objects, type RunOptions } from '../support/process.ts'

test('paxlog activity prints entries oldest first, filtered by user or day', async () => {
  const dataDir = temporaryFolder()
  const paxlog = (args: string[], options: RunOptions = {}) => command([...args, '--data-dir', dataDir], options)
  const create = (username: string, ...more: string[]) =>
    paxlog(['user', 'create', '--username', username, '--password-stdin', ...more], { input: 'correct horse\n' })
  await create('ada', '--owner')
  await create('bob')
  await paxlog(['key', 'create', '--username', 'bob', '--name', 'Board', '--scopes', 'read'])
  const operator = { at: expect.any(String), actor: null, surface: 'cli', credential: null, address: null }
  const all = objects(await paxlog(['activity']))
  expect(all).toEqual([
    {
      ...operator,
      kind: 'user.created',
      subject: { kind: 'user', id: expect.any(String) },
      summary: 'The operator created the account ada.',
    },
    {
      ...operator,
      kind: 'user.created',
      subject: { kind: 'user', id: expect.any(String) },
      summary: 'The operator created the account bob.',
    },
    {
      ...operator,
      kind: 'key.created',
      subject: { kind: 'key', id: expect.any(Number) },
      summary: 'The operator created the API key “Board”.',
    },
  ])
  expect(objects(await paxlog(['activity', '--username', 'BOB']))).toEqual(all.slice(1))
  expect(objects(await paxlog(['activity', '--since', '2020-02-29']))).toEqual(all)
  expect(await paxlog(['activity', '--since', '2999-01-01'])).toMatchObject({ code: 0, stdout: '' })
  expect(await paxlog(['activity', '--since', 'yesterday'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^--since must be a day/),
  })
  expect(await paxlog(['activity', '--username', 'eve'])).toMatchObject({ code: 1, stdout: '' })

  const db = openDatabase(dataDir)
  const { users } = createServices({ db })
  await users.remove(theOperator, users.findByName('bob')!.id)
  closeDatabase(db)
  const entriesOfDeletedUser = objects(await paxlog(['activity', '--username', 'bob'])) as { summary: string }[]
  expect(entriesOfDeletedUser.map(({ summary }) => summary)).toContain('The operator created the account bob.')
  expect(await paxlog(['activity', '--username', 'bob', '--since', '2999-01-01'])).toMatchObject({
    code: 0,
    stdout: '',
  })
})
