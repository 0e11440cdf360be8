import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packFile, unpackedPieces, unpackFile } from '../../src/lib/packed-file.ts'

describe('a packed file', () => {
  const text = Array.from({ length: 40_000 }, (_, line) => `line ${line} of a text, übers Meer\n`).join('')
  let folder: string
  let path: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'paxlog-test-'))
    path = join(folder, 'packed.gz')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('is unpacked in pieces of whole lines', () => {
    writeFileSync(path, packFile(text))
    const pieces = Array.from(unpackedPieces(path), String)
    expect(pieces.length).toBeGreaterThan(5)
    expect(pieces.every((piece) => piece.startsWith('line') && piece.endsWith('\n'))).toBe(true)
    expect(pieces.join('')).toBe(text)
  })

  test('is a file of gzip for everybody else, the same one each time', () => {
    expect(gunzipSync(packFile(text)).toString()).toBe(text)
    expect(packFile(text).equals(packFile(text))).toBe(true)
  })

  test('gives back bytes that are no text', () => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, place) => (place * 7919) >> 5)
    writeFileSync(path, packFile(bytes))
    expect(unpackFile(path).equals(bytes)).toBe(true)
  })

  test('is refused when it was cut off, or packed by somebody else', () => {
    writeFileSync(path, packFile(text).subarray(0, -1))
    expect(() => unpackFile(path)).toThrow('shorter than it says')
    writeFileSync(path, gzipSync(text))
    expect(() => unpackFile(path)).toThrow('does not say how long')
  })
})
