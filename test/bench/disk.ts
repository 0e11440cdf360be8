/**
 * The command that runs a program with delayed flushes. Disks of virtual machines flush in microseconds, a consumer SSD in
 * about one millisecond, an SD card in ten. strace delays the calls.
 */
const milliseconds = Number(process.env.BENCH_FLUSH_MS ?? 0)

export function withFlushDelay(program: string, args: readonly string[]): [command: string, args: string[]] {
  if (milliseconds === 0) return [program, [...args]]
  const flushes = 'fsync,fdatasync'
  const delay = `inject=${flushes}:delay_exit=${milliseconds * 1000}`
  // -D: the program keeps the process id, which is needed for its CPU time and signals.
  const tracer = ['-D', '-f', '--seccomp-bpf', '-o', '/dev/null', '-e', `trace=${flushes}`, '-e', delay]
  return ['strace', [...tracer, program, ...args]]
}
