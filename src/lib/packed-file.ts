import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'

/**
 * A file of gzip that is unpacked a piece at a time: it consists of several members, which every program that reads gzip
 * takes for one text. The header of a member has four bytes for a time; here they say how long the member is.
 */
const PIECE = 128 * 1024
const LENGTH_AT = 4
const SYSTEM_AT = 9
const HEADER = 10
const NEWLINE = 0x0a

function* piecesOf(bytes: Buffer, isText: boolean): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const limit = Math.min(start + PIECE, bytes.length)
    // A piece of a text ends with a line.
    const end = isText && limit < bytes.length ? bytes.lastIndexOf(NEWLINE, limit - 1) + 1 : limit
    yield bytes.subarray(start, end)
    start = end
  }
}

export function packFile(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content)
  const members = Array.from(piecesOf(bytes, typeof content === 'string'), (piece) => {
    const member = gzipSync(piece, { level: 9 })
    member.writeUInt32LE(member.length, LENGTH_AT)
    // The only byte that depends on the machine.
    member[SYSTEM_AT] = 255
    return member
  })
  return Buffer.concat(members)
}

interface Member {
  start: number
  length: number
  /** Unpacked. */
  size: number
}

function readAt(file: number, start: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  if (readSync(file, bytes, 0, length, start) < length) throw new Error('A packed file is shorter than it says.')
  return bytes
}

function membersOf(file: number): Member[] {
  const { size } = fstatSync(file)
  const members: Member[] = []
  for (let start = 0; start < size; ) {
    const length = readAt(file, start, HEADER).readUInt32LE(LENGTH_AT)
    if (length <= HEADER) throw new Error('A packed file does not say how long its members are.')
    members.push({ start, length, size: readAt(file, start + length - 4, 4).readUInt32LE() })
    start += length
  }
  return members
}

/** With room for all of it, and some, the text of a member is not put together from pieces. */
const unpack = (file: number, { start, length, size }: Member) =>
  gunzipSync(readAt(file, start, length), { chunkSize: size + 1024 })

/** The pieces of a packed file, one after the other; those of a text hold whole lines. */
export function* unpackedPieces(path: string): Generator<Buffer> {
  const file = openSync(path, 'r')
  try {
    for (const member of membersOf(file)) yield unpack(file, member)
  } finally {
    closeSync(file)
  }
}

/** All of a packed file in memory of its own. */
export function unpackFile(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const members = membersOf(file)
    const bytes = Buffer.allocUnsafeSlow(members.reduce((sum, { size }) => sum + size, 0))
    let at = 0
    for (const member of members) at += unpack(file, member).copy(bytes, at)
    return bytes
  } finally {
    closeSync(file)
  }
}
