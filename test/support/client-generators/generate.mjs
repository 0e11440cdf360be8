/** Generates three clients from one document: `node generate.mjs DOCUMENT FOLDER ORIGIN`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import openapiTypes, { astToString } from 'openapi-typescript'
import { generate } from 'orval'

const [document, folder, origin] = process.argv.slice(2)

// Without this option properties with a default would be required.
const types = await openapiTypes(readFileSync(document, 'utf8'), { defaultNonNullable: false })
writeFileSync(join(folder, 'openapi-typescript.d.ts'), astToString(types))

await createClient({
  input: document,
  output: join(folder, 'hey-api'),
  plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
  logs: { level: 'silent' },
})

await generate({
  input: { target: document },
  output: { target: join(folder, 'orval.ts'), client: 'fetch', mode: 'single', baseUrl: origin },
})
