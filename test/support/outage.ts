import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import pg from 'pg'

const childrenOf = (pid: number) =>
  spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number)

/** Controls a local PostgreSQL to simulate outages. */
export async function outageOf(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  const ask = async (sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows[0]![0]
  const [backend, data] = [Number(await ask('select pg_backend_pid()')), String(await ask('show data_directory'))]
  await client.end()
  const parentPid = spawnSync('ps', ['-o', 'ppid=', '-p', String(backend)], { encoding: 'utf8' }).stdout
  // If the backend has already ended, read the process id from postmaster.pid.
  let postmasterPid =
    Number(parentPid) || Number(spawnSync('head', ['-1', `${data}/postmaster.pid`], { encoding: 'utf8' }).stdout)
  let restarted: ChildProcess | undefined
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [postmasterPid, ...childrenOf(postmasterPid)]) process.kill(pid, name)
  }
  return {
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    kill: () => signal('SIGKILL'),
    /** Restarts a killed server with the same data. */
    restart(): void {
      const { uid, gid } = statSync(data)
      const program = spawnSync('sh', ['-c', 'ls -d /usr/lib/postgresql/*/bin/postgres | sort -V | tail -1'], {
        encoding: 'utf8',
      }).stdout.trim()
      restarted = spawn(program, ['-D', data], { uid, gid, cwd: dirname(data), stdio: 'ignore' })
      postmasterPid = restarted.pid!
    },
    async end(): Promise<void> {
      if (!restarted) return
      const exited = once(restarted, 'exit')
      restarted.kill('SIGQUIT')
      await exited
    },
  }
}
