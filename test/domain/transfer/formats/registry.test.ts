import { describe, expect, test } from 'vitest'
import { detectFormat, formatNames, formats } from '../../../../src/domain/transfer/formats/registry.ts'
import { UnreadableFile } from '../../../../src/domain/transfer/formats/row.ts'
import { contentOf, fileText } from '../../../../src/domain/transfer/formats/text.ts'
import { samples, sampleText } from '../sample.ts'

describe('detectFormat', () => {
  test.each(samples)('recognises %s by %s', (format, sample) => {
    expect(detectFormat(contentOf(sampleText(sample)))).toBe(format)
  })

  test('requires all identifying columns of a CSV format, and returns the first match', () => {
    const columnsOf = (name: 'flighty' | 'jetlovers' | 'myflightradar24') => formats[name].requiredColumns!
    expect(detectFormat(contentOf(columnsOf('flighty').join(',')))).toBe('flighty')
    expect(() => detectFormat(contentOf(columnsOf('flighty').slice(1).join(',')))).toThrow(UnreadableFile)
    expect(detectFormat(contentOf([...columnsOf('jetlovers'), ...columnsOf('myflightradar24')].join(';')))).toBe(
      'myflightradar24',
    )
  })

  test('prefers an object with flights to one with segments, and a calendar to trips', () => {
    expect(detectFormat(contentOf(' {"SegmentListResponses":[],"flights":1}'))).toBe('backup')
    expect(detectFormat(contentOf('BEGIN:VCALENDAR\nOwnership.MINE'))).toBe('tripit')
    expect(detectFormat(contentOf('date,from\nOwnership.MINE'))).toBe('appintheair')
  })

  test.each(['', 'hello', '{}', '{"flights":', '[1]', '\u0000\u0001', 'a;b;c\n1;2;3', '{"__proto__":{"flights":[]}}'])(
    'rejects %j',
    (text) => {
      expect(() => detectFormat(contentOf(text))).toThrow(UnreadableFile)
    },
  )
})

describe('the registry', () => {
  test('lists the parameters of each format', () => {
    const takes = formatNames.flatMap((name) => formats[name].takes.map((parameter) => `${name} ${parameter}`))
    expect(takes).toEqual([
      ...['backup mode', 'backup fileUser', 'appintheair mineOnly', 'byair mineOnly'],
      ...['csv columns', 'csv dateFormat'],
    ])
  })
})

describe('fileText', () => {
  test('removes a byte order mark and rejects invalid UTF-8', () => {
    expect(fileText(Buffer.from('\uFEFFZürich'))).toBe('Zürich')
    expect(() => fileText(Buffer.from('Zürich', 'latin1'))).toThrow('The file is not UTF-8 text.')
    expect(() => fileText(Buffer.from('Zürich', 'utf16le'))).toThrow(UnreadableFile)
  })
})
