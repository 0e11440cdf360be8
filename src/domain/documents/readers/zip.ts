import { crc32, inflateRawSync } from 'node:zlib'
import { english } from '../../../messages/english.ts'
import { unreadable } from '../unreadable.ts'

const LOCAL_HEADER = 0x04034b50
const DIRECTORY_HEADER = 0x02014b50
const DIRECTORY_END = 0x06054b50
const LOCAL_HEADER_LENGTH = 30
const DIRECTORY_HEADER_LENGTH = 46
const DIRECTORY_END_LENGTH = 22
const MAX_COMMENT_LENGTH = 0xffff
const STORED = 0
const DEFLATED = 8
const IS_ENCRYPTED = 1

const broken = (cause?: unknown) => unreadable(english.documents.zipBroken, cause)

function directoryEnd(bytes: Buffer): number {
  const last = bytes.length - DIRECTORY_END_LENGTH
  for (let offset = last; offset >= Math.max(0, last - MAX_COMMENT_LENGTH); offset--) {
    if (bytes.readUInt32LE(offset) === DIRECTORY_END) return offset
  }
  throw broken()
}

interface Entry {
  flags: number
  method: number
  checksum: number
  packedLength: number
  offset: number
}

function findEntry(bytes: Buffer, wanted: string): Entry | undefined {
  const end = directoryEnd(bytes)
  const count = bytes.readUInt16LE(end + 10)
  let offset = bytes.readUInt32LE(end + 16)
  for (let index = 0; index < count; index++) {
    if (bytes.readUInt32LE(offset) !== DIRECTORY_HEADER) throw broken()
    const nameEnd = offset + DIRECTORY_HEADER_LENGTH + bytes.readUInt16LE(offset + 28)
    if (bytes.toString('latin1', offset + DIRECTORY_HEADER_LENGTH, nameEnd) === wanted) {
      return {
        flags: bytes.readUInt16LE(offset + 8),
        method: bytes.readUInt16LE(offset + 10),
        checksum: bytes.readUInt32LE(offset + 16),
        packedLength: bytes.readUInt32LE(offset + 20),
        offset: bytes.readUInt32LE(offset + 42),
      }
    }
    offset = nameEnd + bytes.readUInt16LE(offset + 30) + bytes.readUInt16LE(offset + 32)
  }
  return undefined
}

function unpack(bytes: Buffer, { flags, method, checksum, packedLength, offset }: Entry, maxBytes: number): Buffer {
  if (bytes.readUInt32LE(offset) !== LOCAL_HEADER) throw broken()
  if (flags & IS_ENCRYPTED) throw unreadable(english.documents.zipEncrypted)
  const start = offset + LOCAL_HEADER_LENGTH + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  if (start + packedLength > bytes.length) throw broken()
  const packed = bytes.subarray(start, start + packedLength)
  if (method !== STORED && method !== DEFLATED) throw unreadable(english.documents.zipCompression)
  // The declared size is not used, because it can be wrong.
  const content = method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: maxBytes })
  if (content.length > maxBytes) throw unreadable(english.documents.zipFileTooLarge({ kibibytes: maxBytes / 1024 }))
  if (crc32(content) !== checksum) throw broken()
  return content
}

/** One file of a zip archive; undefined if the archive does not have it. */
export function unzipFile(bytes: Buffer, name: string, maxBytes: number): Buffer | undefined {
  try {
    const entry = findEntry(bytes, name)
    return entry && unpack(bytes, entry, maxBytes)
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw unreadable(english.documents.zipFileTooLarge({ kibibytes: maxBytes / 1024 }))
    // Offsets outside of the file, and compressed data that is not valid.
    if (code === 'ERR_OUT_OF_RANGE' || code === 'ERR_BUFFER_OUT_OF_BOUNDS' || String(code).startsWith('Z_'))
      throw broken(error)
    throw error
  }
}
