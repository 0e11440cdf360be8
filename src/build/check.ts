/** Builds and runs the static checks in parallel, since none of them keeps two cores busy alone. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

const steps = ['build', 'check:types', 'check:lint', 'check:unused']

async function passes(step: string): Promise<boolean> {
  const child = spawn('npm', ['run', '--silent', step], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  process.stdout.write(`${step}: ${code === 0 ? 'passed' : 'FAILED'}\n${out}${errors}`)
  return code === 0
}

const passed = await Promise.all(steps.map(passes))
if (passed.includes(false)) process.exitCode = 1
