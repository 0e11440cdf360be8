import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import Papa from 'papaparse'

const DATA = new URL('../data/', import.meta.url)

export type Cells = Record<string, string>

export function sourceText(path: string): string {
  const bytes = readFileSync(path)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

export function csvRows(text: string): Cells[] {
  return Papa.parse<Cells>(text.replace(/^\uFEFF/, ''), { header: true, skipEmptyLines: true }).data
}

export function dataRows(name: string): Cells[] {
  return csvRows(readFileSync(new URL(name, DATA), 'utf8'))
}

export function csvText(columns: string[], rows: Cells[]): string {
  return `${Papa.unparse({ fields: columns, data: rows.map((row) => columns.map((column) => row[column] ?? '')) }, { newline: '\n' })}\n`
}

/** Byte 9 of a gzip header is the operating system; 255 means unknown. */
export function hideSystem(gzip: Buffer): Buffer {
  gzip[9] = 255
  return gzip
}

export const zipped = (content: string | Uint8Array): Buffer => hideSystem(gzipSync(content, { level: 9 }))

export function writeData(name: string, content: string | Uint8Array): void {
  writeFileSync(new URL(name, DATA), name.endsWith('.gz') ? zipped(content) : content)
}

export function versionOf(texts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text).update('\0')
  return hash.digest('hex').slice(0, 12)
}
