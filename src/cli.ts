#!/usr/bin/env node
import { requireNode } from './lib/node-version.ts'

requireNode()
const { runCommand } = await import('./cli/run.ts')
await runCommand(process.argv.slice(2))
