/**
 * How to start a program on a disk that needs so many milliseconds to flush: that of a rented machine says "done" in
 * some microseconds, a solid-state disk at home needs about one millisecond, a card ten. strace holds the calls up.
 */
const milliseconds = Number(process.env.BENCH_FLUSH_MS ?? 0)

export function onDisk(program: string, args: readonly string[]): [command: string, args: string[]] {
  if (milliseconds === 0) return [program, [...args]]
  const flushes = 'fsync,fdatasync'
  const delay = `inject=${flushes}:delay_exit=${milliseconds * 1000}`
  // -D: the program keeps the process id that was started, for its CPU time and its signals.
  const tracer = ['-D', '-f', '--seccomp-bpf', '-o', '/dev/null', '-e', `trace=${flushes}`, '-e', delay]
  return ['strace', [...tracer, program, ...args]]
}
