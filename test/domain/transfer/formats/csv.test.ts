import { describe, expect, test } from 'vitest'
import { UnreadableFile } from '../../../../src/domain/transfer/formats/row.ts'
import { flights, parse, reasons } from '../sample.ts'

const HEADER = 'id,date,from,to,miles,airline,flightNum,aircraft'

const jetlovers = (...lines: string[]) => parse('jetlovers', [HEADER, ...lines].join('\n'))

describe('the CSV parser', () => {
  test('accepts semicolons, a byte order mark and any line endings', () => {
    const lines = [
      'ID;Date;From;To;Miles;Airline;Flight-Num',
      '1;2020-01-02;ZRH;GVA;;"A;B";LX1',
      '2;2020-01-03;GVA;ZRH;;;',
    ]
    const header = lines[0]!.replace('Flight-Num', 'flightnum')
    for (const end of ['\n', '\r\n', '\r']) {
      const file = parse('jetlovers', `\uFEFF${[header, ...lines.slice(1), ''].join(end)}`)
      expect(flights(file)).toMatchObject({
        1: { airline: { text: 'A;B' }, flightNumber: 'LX1' },
        2: { date: '2020-01-03' },
      })
    }
  })

  test('compares headers in lower case, with runs of other characters replaced by _', () => {
    const text = ' Flight  Date ,FLIGHT-CODE,"(Departure) Airport/Code",_Arrival airport code_\n2020-01-02,LX1,ZRH,GVA'
    expect(flights(parse('byair', text))).toMatchObject({ 1: { date: '2020-01-02', flightNumber: 'LX1' } })
  })

  test('uses the first of two columns with the same name', () => {
    const text = 'date,from,to,miles,flightnum,FlightNum\n2020-01-02,ZRH,GVA,,LX1,LX2'
    expect(flights(parse('jetlovers', text))).toMatchObject({ 1: { flightNumber: 'LX1' } })
  })

  test('does not count blank lines as rows, even before the header', () => {
    const file = parse('jetlovers', `\n  \n${HEADER}\n\n1,2020-01-02,ZRH,GVA,,,,\n   \n2,2020-01-03,ZRH,GVA,,,,\n\n`)
    expect([...file.rows].map(({ row }) => row)).toEqual([1, 2])
    expect(flights(file)).toMatchObject({ 1: { date: '2020-01-02' }, 2: { date: '2020-01-03' } })
  })

  test('counts a line of empty cells as a rejected row', () => {
    expect(reasons(jetlovers(',,,,,,,'))).toEqual({ 1: 'The row has no date.' })
  })

  test('rejects rows whose width differs from the header', () => {
    const file = jetlovers(
      '1,2020-01-02,ZRH',
      '1,2020-01-02,ZRH,GVA,,Air, Sea and Land,LX1,',
      '1,2020-01-02,ZRH,GVA,,,,',
    )
    expect(reasons(file)).toEqual({
      1: 'The row has 3 cells, but the header has 8.',
      2: 'The row has 9 cells, but the header has 8.',
    })
    expect(flights(file)).toHaveProperty('3')
  })

  test('keeps quotation marks, delimiters and line breaks in quoted cells', () => {
    const file = jetlovers('1,2020-01-02,ZRH,GVA,,"The ""Blue""\r\nAirline, Ltd.",LX1,', '2,2020-01-03,ZRH,GVA,,x"y,,')
    expect(flights(file)).toMatchObject({
      1: { airline: { text: 'The "Blue"\nAirline, Ltd.' } },
      2: { airline: { text: 'x"y' } },
    })
  })

  test('rejects a row with text after a closing quotation mark', () => {
    const file = jetlovers(
      '1,2020-01-02,ZRH,GVA,,,,',
      '',
      '2,2020-01-03,ZRH,GVA,,"Blue" Airline,,',
      '3,2020-01-04,ZRH,GVA,,,,',
    )
    expect(Object.keys(flights(file))).toEqual(['1', '3'])
    expect(reasons(file)).toEqual({ 2: 'The row has text after the quotation mark that ends a cell.' })
  })

  test('accepts spaces after a quoted cell, and keeps a quotation mark after a space', () => {
    const file = jetlovers('1,2020-01-02,ZRH,GVA,,"Blue, Ltd." ,LX1,', '2,2020-01-02,ZRH,GVA,, "Blue",LX1,')
    expect(flights(file)).toMatchObject({ 1: { airline: { text: 'Blue, Ltd.' } }, 2: { airline: { text: '"Blue"' } } })
  })

  test('rejects a file with an unclosed quotation mark, a missing column or no content', () => {
    expect(() => jetlovers('1,2020-01-02,ZRH,GVA,,"Blue,,')).toThrow(UnreadableFile)
    expect(() => parse('jetlovers', 'date,from\n')).toThrow('The file lacks the columns to, miles, flightnum.')
    expect(() => parse('jetlovers', ' \n\n')).toThrow('The file is empty.')
  })

  test('accepts a file without rows', () => {
    const { rows } = jetlovers()
    expect([[...rows], rows.length]).toEqual([[], 0])
  })
})
