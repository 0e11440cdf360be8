import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PostgresServer, runProgram } from './postgres.ts'

const guide = join(import.meta.dirname, '../../docs/hosting.md')

/** The first code block below a heading of the hosting guide. */
export function documentedBlock(heading: string, language: string): string {
  const [, section = ''] = readFileSync(guide, 'utf8').split(`\n### ${heading}\n`)
  const [, block] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(section.split(/\n##+ /)[0]!) ?? []
  if (block === undefined) throw new Error(`The hosting guide has no ${language} block below "${heading}".`)
  return block
}

/** Creates the role and database `paxlog` with the documented statements. The superuser is `postgres`. */
export async function createDocumentedDatabase({ port }: PostgresServer): Promise<void> {
  const statements = documentedBlock('Database and role', 'sql').trimEnd().split('\n')
  const connection = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-v', 'ON_ERROR_STOP=1', '-q']
  await runProgram('psql', [...connection, ...statements.flatMap((statement) => ['-c', statement])])
}
