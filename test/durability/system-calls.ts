import { readFileSync } from 'node:fs'

/** What a program asked of the system, as far as it concerns the files of one folder or somebody who waits for an answer. */
export type Call =
  | { kind: 'write'; path: string; at: number; data: Buffer }
  | { kind: 'resize'; path: string; size: number }
  | { kind: 'create' | 'create-folder' | 'remove'; path: string }
  | { kind: 'link' | 'rename' | 'copy'; path: string; to: string }
  /** Covers what was written before the call with this number began. */
  | { kind: 'flush'; path: string; begun: number }
  /** The first bytes of an HTTP answer, by the port of the client. */
  | { kind: 'answer'; port: number }
  | { kind: 'output'; text: string }

export type Event = Call & { number: number }

/** Whatever can change a file or its name, and whatever can tell somebody about it. */
const NAMES = [
  ...['open', 'openat', 'openat2', 'creat', 'mkdir', 'mkdirat', 'rmdir', 'unlink', 'unlinkat', 'link', 'linkat'],
  ...['symlink', 'symlinkat', 'rename', 'renameat', 'renameat2', 'truncate', 'ftruncate', 'fallocate'],
  ...['write', 'writev', 'pwrite64', 'pwritev', 'pwritev2', 'copy_file_range', 'sendfile', 'splice'],
  ...['fsync', 'fdatasync', 'sync', 'syncfs', 'sync_file_range', 'sendto', 'sendmsg'],
]

/** Arguments for strace: every call above with all of its data, in hexadecimal digits, of a program and those it starts. */
export const watching = (out: string) => [
  ...['-f', '-yy', '-xx', '-s', '100000000', '--seccomp-bpf', '-o', out],
  ...['-e', `trace=/^(${NAMES.join('|')})$`, '-e', 'signal=none'],
]

const HTTP = '"\\x48\\x54\\x54\\x50\\x2f'
/** By hand, since there are a hundred megabytes of it. */
const digit = (code: number) => (code < 58 ? code - 48 : code - 87)
function bytes(escaped: string): Buffer {
  const data = Buffer.allocUnsafe(escaped.length / 4)
  for (let index = 0; index < data.length; index++) {
    data[index] = digit(escaped.charCodeAt(index * 4 + 2)) * 16 + digit(escaped.charCodeAt(index * 4 + 3))
  }
  return data
}
const escaped = (text: string) => text.replace(/./g, (letter) => `\\x${letter.charCodeAt(0).toString(16)}`)

/** A call that touches a watched file in a way that nobody has taught us is no reason to look away. */
const unknown = (call: string) => new Error(`A call that the model of the disk does not know: ${call.slice(0, 300)}`)

/** Reads what strace wrote about the files below a folder. */
export function readTrace(file: string, folder: string): Event[] {
  const events: Event[] = []
  const add = (call: Call) => events.push({ ...call, number: events.length })
  const below = escaped(`${folder}/`)
  const decoded = new Map<string, string>()
  function path(text: string): string {
    const known = decoded.get(text) ?? bytes(text).toString()
    decoded.set(text, known)
    return known
  }
  const isWatched = (text: string | undefined) =>
    text !== undefined && (text.startsWith(below) || path(text) === folder)

  /** One finished call, with its arguments as they stood in the trace; `begun` is the number of events before it. */
  function finished(name: string, line: string, begun: number): void {
    const result = line.slice(line.lastIndexOf(' = ') + 3)
    if (result.startsWith('-1 ')) return
    // Between quotes: names and data. Between angle brackets: what a descriptor stands for.
    const [, first, , second] = line.split('"', 4)
    const handle = /^\d+<([^>]*)>/.exec(line)?.[1]
    const opened = /^\d+<([^>]*)>/.exec(result)?.[1]
    const number = (pattern: RegExp) => Number(pattern.exec(line.slice(line.lastIndexOf('"') + 1))![1])
    switch (name) {
      case 'open':
      case 'openat':
        if (!isWatched(opened)) return
        if (line.includes('O_CREAT')) add({ kind: 'create', path: path(opened!) })
        if (line.includes('O_TRUNC')) add({ kind: 'resize', path: path(opened!), size: 0 })
        return
      case 'mkdir':
      case 'mkdirat':
        if (isWatched(first)) add({ kind: 'create-folder', path: path(first!) })
        return
      case 'unlink':
      case 'unlinkat':
        if (isWatched(first)) add({ kind: 'remove', path: path(first!) })
        return
      case 'link':
      case 'linkat':
        if (isWatched(second)) add({ kind: 'link', path: path(first!), to: path(second!) })
        return
      case 'rename':
      case 'renameat':
      case 'renameat2':
        if (isWatched(second)) add({ kind: 'rename', path: path(first!), to: path(second!) })
        return
      case 'ftruncate':
        if (isWatched(handle)) add({ kind: 'resize', path: path(handle!), size: number(/, (\d+)\)/) })
        return
      case 'pwrite64': {
        if (!isWatched(handle)) return
        const data = bytes(first!)
        if (Number(result) !== data.length) throw unknown(line)
        add({ kind: 'write', path: path(handle!), at: number(/, \d+, (\d+)\)/), data })
        return
      }
      case 'copy_file_range': {
        const [, from, to] = /^\d+<([^>]*)>, \[0\], \d+<([^>]*)>, NULL/.exec(line) ?? []
        if (isWatched(to)) add({ kind: 'copy', path: path(from!), to: path(to!) })
        else if (line.includes(`<${below}`)) throw unknown(line)
        return
      }
      case 'fsync':
      case 'fdatasync':
        if (isWatched(handle)) add({ kind: 'flush', path: path(handle!), begun })
        return
      default:
        if (line.includes(`<${below}`) || (handle === undefined && isWatched(first))) throw unknown(`${name}(${line}`)
    }
  }

  /** Somebody may have read the first byte before the call is over, so these count from where they begin. */
  function begun(name: string, line: string): void {
    if (name !== 'write' && name !== 'writev') return
    const port = /^\d+<TCP:\[[^\]]*:(\d+)\]>/.exec(line)?.[1]
    if (port !== undefined && line.includes(HTTP)) add({ kind: 'answer', port: Number(port) })
    if (line.startsWith('1<')) add({ kind: 'output', text: bytes(line.split('"', 2)[1] ?? '').toString() })
  }

  const unfinished = new Map<string, { line: string; number: number }>()
  function read(text: string): void {
    const [, process, resumed, name, line] = /^(\d+) +(?:<\.\.\. (\w+) resumed>|(\w+)\()(.*)$/.exec(text) ?? []
    if (process === undefined) return
    if (resumed !== undefined) {
      const start = unfinished.get(process)!
      unfinished.delete(process)
      finished(resumed, start.line + line!, start.number)
      return
    }
    const number = events.length
    begun(name!, line!)
    const end = line!.lastIndexOf(' <unfinished ...>')
    if (end >= 0) unfinished.set(process, { line: line!.slice(0, end), number })
    else finished(name!, line!, number)
  }

  const trace = readFileSync(file, 'latin1')
  for (let from = 0; from < trace.length; ) {
    const end = trace.indexOf('\n', from)
    read(trace.slice(from, end))
    from = end + 1
  }
  return events
}
