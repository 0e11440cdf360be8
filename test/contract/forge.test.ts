import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../support/process.ts'

const read = (name: string) => readFileSync(join(root, '.github', name), 'utf8')

interface Step {
  uses?: string
  run?: string
  with?: Record<string, unknown>
}

interface Job {
  uses?: string
  needs?: string | string[]
  permissions?: Record<string, string>
  strategy?: { matrix: Record<string, unknown> }
  steps?: Step[]
}

const workflow = (name: string) =>
  parse(read(`workflows/${name}.yml`)) as { permissions: object; jobs: Record<string, Job> }
const steps = (job: Job) => job.steps ?? []

describe('the GitHub workflows', () => {
  test('run the same script as everyone else', () => {
    const { jobs } = workflow('ci')
    expect(steps(jobs.test!).map(({ run }) => run)).toContain('.ci/run')
    expect(workflow('release').jobs.ci!.uses).toBe('./.github/workflows/ci.yml')
  })

  test('publish an image for two platforms after the tests, with an SBOM', () => {
    const { image, publish } = workflow('release').jobs as Record<'image' | 'publish', Job>
    const platforms = (image.strategy!.matrix.include as { platform: string }[]).map(({ platform }) => platform)
    expect(platforms).toEqual(['linux/amd64', 'linux/arm64'])
    const built = steps(image).find(({ uses = '' }) => uses.startsWith('docker/build-push-action@'))
    expect(built!.with).toMatchObject({ sbom: true, context: '.' })
    expect([image.needs, publish.needs].flat()).toEqual(['version', 'ci', 'version', 'image', 'tarball'])
    expect(
      steps(publish)
        .map(({ run = '' }) => run)
        .join('\n'),
    ).toContain('npm run --silent sbom')
  })

  test('have minimal permissions and keep no credentials in the checkout', () => {
    const names = readdirSync(join(root, '.github/workflows')).map((name) => name.replace('.yml', ''))
    expect(names).toEqual(['ci', 'release'])
    for (const { permissions, jobs } of names.map(workflow)) {
      expect(permissions).toEqual({ contents: 'read' })
      const checkouts = Object.values(jobs)
        .flatMap(steps)
        .filter(({ uses = '' }) => uses.startsWith('actions/checkout@'))
      for (const step of checkouts) expect(step.with).toEqual({ 'persist-credentials': false })
    }
  })

  test('use no expressions in the text of commands', () => {
    const commands = readdirSync(join(root, '.github/workflows'))
      .flatMap((name) => Object.values(workflow(name.replace('.yml', '')).jobs))
      .flatMap(steps)
      .map(({ run = '' }) => run)
    expect(commands.filter((run) => run.includes('${{'))).toEqual([])
  })
})

test('issue templates and the Renovate configuration are valid', () => {
  for (const name of readdirSync(join(root, '.github/ISSUE_TEMPLATE')).filter((each) => each !== 'config.yml')) {
    expect(parse(read(`ISSUE_TEMPLATE/${name}`))).toMatchObject({
      name: expect.any(String),
      description: expect.any(String),
      body: expect.any(Array),
    })
  }
  expect(JSON.parse(read('renovate.json'))).toMatchObject({ extends: expect.any(Array) })
})
