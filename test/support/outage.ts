import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import pg from 'pg'

const below = (pid: number) =>
  spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number)

/** Lets a PostgreSQL of this machine hang, die and come back, under whoever uses it. */
export async function outageOf(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  const ask = async (sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows[0]![0]
  const [backend, data] = [Number(await ask('select pg_backend_pid()')), String(await ask('show data_directory'))]
  await client.end()
  const own = spawnSync('ps', ['-o', 'ppid=', '-p', String(backend)], { encoding: 'utf8' }).stdout
  // A backend that has ended has no parent any more, but whoever started the server wrote its number down.
  let main = Number(own) || Number(spawnSync('head', ['-1', `${data}/postmaster.pid`], { encoding: 'utf8' }).stdout)
  let again: ChildProcess | undefined
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [main, ...below(main)]) process.kill(pid, name)
  }
  return {
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    kill: () => signal('SIGKILL'),
    /** Where it was killed, with the same data. */
    begin(): void {
      const { uid, gid } = statSync(data)
      const program = spawnSync('sh', ['-c', 'ls -d /usr/lib/postgresql/*/bin/postgres | sort -V | tail -1'], {
        encoding: 'utf8',
      }).stdout.trim()
      again = spawn(program, ['-D', data], { uid, gid, cwd: dirname(data), stdio: 'ignore' })
      main = again.pid!
    },
    async end(): Promise<void> {
      if (!again) return
      const exited = once(again, 'exit')
      again.kill('SIGQUIT')
      await exited
    },
  }
}
