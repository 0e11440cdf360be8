import { readFileSync } from 'node:fs'

/** A system call that changes files of one folder, sends an HTTP response or writes output. */
export type Call =
  | { kind: 'write'; path: string; at: number; data: Buffer }
  | { kind: 'resize'; path: string; size: number }
  | { kind: 'create' | 'create-folder' | 'remove'; path: string }
  | { kind: 'link' | 'rename' | 'copy'; path: string; to: string }
  /** Covers all writes before the call with this number started. */
  | { kind: 'flush'; path: string; startedAt: number }
  /** The first bytes of an HTTP response, with the port of the client. */
  | { kind: 'answer'; port: number }
  | { kind: 'output'; text: string }

export type Event = Call & { number: number }

/** Calls that can change a file or its name, or send data. */
const TRACED_CALLS = [
  ...['open', 'openat', 'openat2', 'creat', 'mkdir', 'mkdirat', 'rmdir', 'unlink', 'unlinkat', 'link', 'linkat'],
  ...['symlink', 'symlinkat', 'rename', 'renameat', 'renameat2', 'truncate', 'ftruncate', 'fallocate'],
  ...['write', 'writev', 'pwrite64', 'pwritev', 'pwritev2', 'copy_file_range', 'sendfile', 'splice'],
  ...['fsync', 'fdatasync', 'sync', 'syncfs', 'sync_file_range', 'sendto', 'sendmsg'],
]

/** Arguments for strace: trace these calls of a program and its children, with all data in hexadecimal. */
export const straceArgs = (out: string) => [
  ...['-f', '-yy', '-xx', '-s', '100000000', '--seccomp-bpf', '-o', out],
  ...['-e', `trace=/^(${TRACED_CALLS.join('|')})$`, '-e', 'signal=none'],
]

const HTTP = '"\\x48\\x54\\x54\\x50\\x2f'
/** Faster than parseInt, which matters for traces of 100 MB. */
const digit = (code: number) => (code < 58 ? code - 48 : code - 87)
function bytes(escaped: string): Buffer {
  const data = Buffer.allocUnsafe(escaped.length / 4)
  for (let index = 0; index < data.length; index++) {
    data[index] = digit(escaped.charCodeAt(index * 4 + 2)) * 16 + digit(escaped.charCodeAt(index * 4 + 3))
  }
  return data
}
const escaped = (text: string) => text.replace(/./g, (letter) => `\\x${letter.charCodeAt(0).toString(16)}`)

/** Unsupported calls on a traced file must fail the test. */
const unsupportedCall = (call: string) => new Error(`The disk model does not support this call: ${call.slice(0, 300)}`)

/** Parses the strace output for the files in a folder. */
export function readTrace(file: string, folder: string): Event[] {
  const events: Event[] = []
  const add = (call: Call) => events.push({ ...call, number: events.length })
  const escapedPrefix = escaped(`${folder}/`)
  const decoded = new Map<string, string>()
  function path(text: string): string {
    const known = decoded.get(text) ?? bytes(text).toString()
    decoded.set(text, known)
    return known
  }
  const isTraced = (text: string | undefined) =>
    text !== undefined && (text.startsWith(escapedPrefix) || path(text) === folder)

  /** Handles a completed call. `startedAt` is the number of events before it started. */
  function finishCall(name: string, line: string, startedAt: number): void {
    const result = line.slice(line.lastIndexOf(' = ') + 3)
    if (result.startsWith('-1 ')) return
    // Names and data are in quotes; the path of a descriptor is in angle brackets.
    const [, first, , second] = line.split('"', 4)
    const handle = /^\d+<([^>]*)>/.exec(line)?.[1]
    const opened = /^\d+<([^>]*)>/.exec(result)?.[1]
    const number = (pattern: RegExp) => Number(pattern.exec(line.slice(line.lastIndexOf('"') + 1))![1])
    switch (name) {
      case 'open':
      case 'openat':
        if (!isTraced(opened)) return
        if (line.includes('O_CREAT')) add({ kind: 'create', path: path(opened!) })
        if (line.includes('O_TRUNC')) add({ kind: 'resize', path: path(opened!), size: 0 })
        return
      case 'mkdir':
      case 'mkdirat':
        if (isTraced(first)) add({ kind: 'create-folder', path: path(first!) })
        return
      case 'unlink':
      case 'unlinkat':
        if (isTraced(first)) add({ kind: 'remove', path: path(first!) })
        return
      case 'link':
      case 'linkat':
        if (isTraced(second)) add({ kind: 'link', path: path(first!), to: path(second!) })
        return
      case 'rename':
      case 'renameat':
      case 'renameat2':
        if (isTraced(second)) add({ kind: 'rename', path: path(first!), to: path(second!) })
        return
      case 'ftruncate':
        if (isTraced(handle)) add({ kind: 'resize', path: path(handle!), size: number(/, (\d+)\)/) })
        return
      case 'pwrite64': {
        if (!isTraced(handle)) return
        const data = bytes(first!)
        if (Number(result) !== data.length) throw unsupportedCall(line)
        add({ kind: 'write', path: path(handle!), at: number(/, \d+, (\d+)\)/), data })
        return
      }
      case 'copy_file_range': {
        const [, from, to] = /^\d+<([^>]*)>, \[0\], \d+<([^>]*)>, NULL/.exec(line) ?? []
        if (isTraced(to)) add({ kind: 'copy', path: path(from!), to: path(to!) })
        else if (line.includes(`<${escapedPrefix}`)) throw unsupportedCall(line)
        return
      }
      case 'fsync':
      case 'fdatasync':
        if (isTraced(handle)) add({ kind: 'flush', path: path(handle!), startedAt })
        return
      default:
        if (line.includes(`<${escapedPrefix}`) || (handle === undefined && isTraced(first)))
          throw unsupportedCall(`${name}(${line}`)
    }
  }

  /** Output counts from the start of the call, because the client may read it before the call returns. */
  function startCall(name: string, line: string): void {
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
      finishCall(resumed, start.line + line!, start.number)
      return
    }
    const number = events.length
    startCall(name!, line!)
    const end = line!.lastIndexOf(' <unfinished ...>')
    if (end >= 0) unfinished.set(process, { line: line!.slice(0, end), number })
    else finishCall(name!, line!, number)
  }

  const trace = readFileSync(file, 'latin1')
  for (let from = 0; from < trace.length; ) {
    const end = trace.indexOf('\n', from)
    read(trace.slice(from, end))
    from = end + 1
  }
  return events
}
