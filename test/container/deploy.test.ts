import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { SaxesParser } from 'saxes'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { loadConfig, settings } from '../../src/app/config.ts'
import { root } from '../support/process.ts'

const IMAGE = 'registry.example.org/paxlog:1.2.3'
const REPOSITORY = 'https://git.example.org/paxlog'
const known = settings.map(({ name }) => name)

const folder = mkdtempSync(join(tmpdir(), 'paxlog-deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
execFileSync(
  process.execPath,
  ['src/build/deploy.ts', '--image', IMAGE, '--repository', REPOSITORY, '--folder', folder],
  {
    cwd: root,
  },
)
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

interface Service {
  image: string
  user: string
  read_only: boolean
  cap_drop: string[]
  environment: Record<string, string>
  ports?: (string | { target: number; published: string })[]
  volumes: (string | { source: string; target: string })[]
}

const composeFiles = {
  'umbrel/docker-compose.yml': 'web',
  'casaos/docker-compose.yml': 'paxlog',
  'truenas/compose.yaml': 'paxlog',
}

describe('the descriptions in deploy/', () => {
  test('name the image, the repository and the version', () => {
    for (const name of files)
      expect([name, read(name)]).not.toEqual([name, expect.stringMatching(/(IMAGE|REPOSITORY|VERSION)\b/)])
    expect(read('README.md')).toContain(`](${REPOSITORY}/blob/v`)
    expect(read('README.md')).not.toMatch(/\]\(\.\.|systemd \|/)
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(parse(read('umbrel/umbrel-app.yml'))).toMatchObject({ version, repo: REPOSITORY })
    expect(parse(read('helm/paxlog/Chart.yaml'))).toMatchObject({ version, appVersion: version })
  })

  test.each(Object.entries(composeFiles))(
    '%s runs the image without root, with known settings and a database folder',
    (name, service) => {
      const { [service]: paxlog } = parse(read(name)).services as Record<string, Service>
      const { image, user, read_only, cap_drop, environment, volumes } = paxlog!
      expect({ image, read_only, cap_drop }).toEqual({ image: IMAGE, read_only: true, cap_drop: ['ALL'] })
      expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
      for (const setting of Object.keys(environment)) expect(known).toContain(setting)
      // No file contains a code. `APP_PASSWORD` is a password that Umbrel generates.
      expect(environment.SETUP_CODE).toMatch(/^(\$\{APP_PASSWORD\})?$/)
      const filled = Object.entries(environment).map(([key, value]) => [
        key,
        value.replace(/\$\{\w+\}/, 'made-by-umbrel'),
      ])
      expect(() => loadConfig(Object.fromEntries(filled))).not.toThrow()
      expect(volumes.map((volume) => (typeof volume === 'string' ? volume.split(':')[1] : volume.target))).toEqual([
        '/data',
      ])
    },
  )

  test('include the folder of the database for Umbrel, which would create it for root', () => {
    expect(files).toContain('umbrel/data/.gitkeep')
  })

  test('agree on the port inside the container and in the address', () => {
    const { port, path } = parse(read('umbrel/umbrel-app.yml'))
    const umbrel = parse(read('umbrel/docker-compose.yml')).services
    expect([umbrel.web.environment.BASE_URL, path]).toEqual([`http://\${DEVICE_DOMAIN_NAME}:${port}`, ''])
    expect(umbrel.app_proxy.environment).toMatchObject({ APP_HOST: 'paxlog_web_1', APP_PORT: loadConfig({}).port })
    const casaos = parse(read('casaos/docker-compose.yml'))
    const [{ target, published }] = casaos.services.paxlog.ports
    expect([target, published]).toEqual([loadConfig({}).port, casaos['x-casaos'].port_map])
    expect(new URL(casaos.services.paxlog.environment.BASE_URL).port).toBe(published)
  })

  test('unraid/paxlog.xml is well-formed, and its variables are settings without a code', () => {
    const configs: Record<string, string>[] = []
    const parser = new SaxesParser()
    const contents: Record<string, string> = {}
    let open = ''
    parser.on('opentag', ({ name, attributes }) => {
      open = name
      if (name === 'Config') configs.push(attributes as Record<string, string>)
    })
    parser.on('text', (text) => {
      contents[open] = (contents[open] ?? '') + text.trim()
    })
    parser.write(read('unraid/paxlog.xml')).close()
    expect(contents.Repository).toBe(IMAGE)
    const ofType = (type: string) => configs.filter(({ Type }) => Type === type)
    expect(ofType('Port').map(({ Target }) => Target)).toEqual([String(loadConfig({}).port)])
    expect(ofType('Path').map(({ Target }) => Target)).toEqual(['/data'])
    for (const { Target } of ofType('Variable')) expect(known).toContain(Target)
    expect(configs.find(({ Name }) => Name === 'SETUP_CODE')).toMatchObject({ Default: '', Mask: 'true' })
  })
})

type Values = Record<string, unknown>

const valueAt = (values: Values, path: string) =>
  path.split('.').reduce<unknown>((value, key) => (value as Values | undefined)?.[key], values)

const CONTROL = /^\s*\{\{- (if|range|end)(?: (.*))? \}\}$/

/** Renders the few constructs of Go templates that the chart uses, and fails on others. */
function render(template: string, values: Values): string {
  const lines = template.split('\n')
  let next = 0

  function print(line: string, context: Values): string {
    return line.replaceAll(/\{\{(.*?)\}\}/g, (_, expression: string) => {
      const [, path, quote] = /^ [.$]([\w.]+)( \| quote)? $/.exec(expression) ?? []
      if (path === undefined) throw new Error(`The test cannot render {{${expression}}}.`)
      const text = String(valueAt(context, path))
      return quote ? JSON.stringify(text) : text
    })
  }

  /** Up to the end of the block, for each context. */
  function block(contexts: readonly Values[]): string[] {
    const start = next
    if (contexts.length === 0) return body({}, false)
    return contexts.flatMap((context) => {
      next = start
      return body(context, true)
    })
  }

  function body(context: Values, isShown: boolean): string[] {
    const output: string[] = []
    while (next < lines.length) {
      const line = lines[next++]!
      const [, keyword, argument = ''] = CONTROL.exec(line) ?? []
      if (keyword === 'end') return output
      if (keyword === 'if') {
        output.push(...block(isShown && valueAt(context, argument.slice(1)) ? [context] : []))
      } else if (keyword === 'range') {
        const [, path] = /^\$name, \$value := \.([\w.]+)$/.exec(argument)!
        const entries = isShown ? Object.entries(valueAt(context, path!) as Values) : []
        output.push(...block(entries.map(([name, value]) => ({ ...context, name, value }))))
      } else if (isShown) output.push(print(line, context))
    }
    return output
  }

  return body({ Values: values, Release: { Name: 'log' } }, true).join('\n')
}

describe('the Helm chart', () => {
  const chart = 'helm/paxlog'
  const defaults = parse(read(`${chart}/values.yaml`)) as Values
  const schema = z.fromJSONSchema(JSON.parse(read(`${chart}/values.schema.json`)))
  const given = { ...defaults, baseUrl: 'https://log.example.org' }
  const rendered = (name: string, values: Values) => parse(render(read(`${chart}/templates/${name}.yaml`), values))

  test('requires an address, and accepts no unknown value', () => {
    expect(schema.safeParse(defaults).success).toBe(false)
    expect(schema.safeParse(given).success).toBe(true)
    expect(schema.safeParse({ ...given, replicas: 2 }).success).toBe(false)
  })

  test('runs one process without root, and replaces it only after it ended', () => {
    const { spec } = rendered('deployment', given)
    expect([spec.replicas, spec.strategy.type]).toEqual([1, 'Recreate'])
    const [container] = spec.template.spec.containers
    expect(container).toMatchObject({
      image: IMAGE,
      env: [{ name: 'BASE_URL', value: 'https://log.example.org' }],
      securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
    })
    expect(container.ports[0].containerPort).toBe(loadConfig({}).port)
    expect(spec.template.spec.securityContext.runAsNonRoot).toBe(true)
  })

  test('passes settings, and the setup code only from a secret', () => {
    const values = {
      ...given,
      settings: { ADDRESS_HEADER: 'X-Forwarded-For', XFF_DEPTH: '2' },
      setupCodeSecret: 'first-page',
    }
    expect(schema.safeParse(values).success).toBe(true)
    // Helm renders large numbers as floats.
    expect(schema.safeParse({ ...values, settings: { BODY_LIMIT: 20_971_520 } }).success).toBe(false)
    expect(rendered('deployment', values).spec.template.spec.containers[0].env).toEqual([
      { name: 'BASE_URL', value: 'https://log.example.org' },
      { name: 'ADDRESS_HEADER', value: 'X-Forwarded-For' },
      { name: 'XFF_DEPTH', value: '2' },
      { name: 'SETUP_CODE', valueFrom: { secretKeyRef: { name: 'first-page', key: 'SETUP_CODE' } } },
    ])
  })

  test('has an ingress only with a host, which leads to the service', () => {
    expect(rendered('ingress', given)).toBeNull()
    const annotations = { 'nginx.ingress.kubernetes.io/proxy-body-size': '20m' }
    const ingress = { host: 'log.example.org', className: 'nginx', tlsSecret: 'certificate', annotations }
    expect(schema.safeParse({ ...given, ingress }).success).toBe(true)
    const { metadata, spec } = rendered('ingress', { ...given, ingress })
    expect(metadata.annotations).toEqual(annotations)
    expect(spec).toMatchObject({
      ingressClassName: 'nginx',
      tls: [{ hosts: ['log.example.org'], secretName: 'certificate' }],
    })
    const { name, port } = spec.rules[0].http.paths[0].backend.service
    const service = rendered('service', given)
    expect([service.metadata.name, service.spec.ports[0].name]).toEqual([name, port.name])
    expect(service.spec.selector).toEqual(rendered('deployment', given).spec.template.metadata.labels)
  })

  test('keeps the volume when it is uninstalled', () => {
    const { metadata, spec } = rendered('storage', { ...given, storage: { size: '2Gi', className: 'local-path' } })
    expect(metadata.annotations['helm.sh/resource-policy']).toBe('keep')
    expect(spec).toMatchObject({ storageClassName: 'local-path', resources: { requests: { storage: '2Gi' } } })
    expect(rendered('deployment', given).spec.template.spec.volumes[0].persistentVolumeClaim.claimName).toBe(
      metadata.name,
    )
  })
})
