import type { OpenAPIV3_1 } from 'openapi-types'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../src/http/v1/openapi.ts'
import { paxlog } from '../support/paxlog.ts'

interface Schema {
  $ref?: string
  enum?: string[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

interface Choice {
  name: string
  wrap: (value: unknown) => unknown
  path: string[]
  nullable: boolean
  required: boolean
}

/** The enum members of a body, and lists of them. */
function choicesOf(body: Schema, resolve: (schema: Schema) => Schema): Choice[] {
  return Object.entries(body.properties ?? {}).flatMap(([name, raw]): Choice[] => {
    const options = (resolve(raw).anyOf ?? [raw]).map(resolve)
    const required = body.required?.includes(name) ?? false
    const nullable = options.some((each) => (each as { type?: string }).type === 'null')
    if (options.some((each) => each.enum)) return [{ name, wrap: (value) => value, path: [name], nullable, required }]
    if (!options.some(({ items }) => items && resolve(items).enum)) return []
    return [{ name, wrap: (value) => [value], path: [name, '0'], nullable: false, required: false }]
  })
}

test('every enum member distinguishes an unknown value from a wrong type and a missing value', async () => {
  const { app, as, user } = await paxlog()
  const { components, paths } = openApiDocument(app)
  const resolve = (schema: Schema): Schema =>
    schema.$ref ? resolve(components!.schemas![schema.$ref.split('/').at(-1)!] as Schema) : schema
  const owner = as(user({ owner: true }))
  let checked = 0
  for (const [path, item] of Object.entries(paths!)) {
    for (const method of ['post', 'put'] as const) {
      const content = (item?.[method]?.requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content
      const schema = content?.['application/json']?.schema as Schema | undefined
      if (!schema) continue
      const url = path.replace('/api/v1', '').replace('{id}', '1')
      for (const { name, wrap, path: at, nullable, required } of choicesOf(resolve(schema), resolve)) {
        const codeOf = async (body: object, where = at) => {
          const { error } = (await owner[method](url, body)).body
          return error.details?.find((each: { path: string[] }) => each.path.join() === where.join())?.code
        }
        const what = `${method} ${path} ${name}`
        expect([what, await codeOf({ [name]: wrap('no such word') })]).toEqual([what, 'invalid_value'])
        for (const value of [5, {}, ...(nullable ? [] : [null])]) {
          expect([what, value, await codeOf({ [name]: wrap(value) })]).toEqual([what, value, 'invalid_type'])
        }
        if (required) expect([what, await codeOf({}, [name])]).toEqual([what, 'invalid_type'])
        checked++
      }
    }
  }
  expect(checked).toBeGreaterThan(20)
})
