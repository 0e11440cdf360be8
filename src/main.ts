import { requireNode } from './lib/node-version.ts'

requireNode()
const { runCommand } = await import('./cli/run.ts')
await runCommand(['serve', ...process.argv.slice(2)])
