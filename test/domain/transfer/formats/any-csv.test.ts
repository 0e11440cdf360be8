import { describe, expect, test } from 'vitest'
import {
  columnPlaces,
  csvFields,
  csvSynonyms,
  headerKey,
  requiredFields,
} from '../../../../src/domain/transfer/formats/csv-fields.ts'
import { detectFormat, formats } from '../../../../src/domain/transfer/formats/registry.ts'
import type { ParseOptions } from '../../../../src/domain/transfer/formats/row.ts'
import { contentOf } from '../../../../src/domain/transfer/formats/text.ts'
import { flights, parse, reasons } from '../sample.ts'

const csv = (header: string, ...rows: string[]) => [header, ...rows].join('\n')
const read = (text: string, options: Partial<ParseOptions> = {}) =>
  formats.csv.parse(contentOf(text), { mineOnly: true, ...options })
const first = (text: string, options: Partial<ParseOptions> = {}) => {
  const file = read(text, options)
  expect(reasons(file)).toEqual({})
  return flights(file)[1]!
}
const cell = (field: string, value: string) =>
  first(csv(`date,from,to,${field}`, `2024-05-03,ZRH,LIS,"${value.replaceAll('"', '""')}"`))
const problemOf = (field: string, value: string) =>
  reasons(read(csv(`date,from,to,${field}`, `2024-05-03,ZRH,LIS,"${value}"`)))[1]

describe('headers', () => {
  test('are normalised, and each belongs to one field', () => {
    const all = csvFields.flatMap((field) => csvSynonyms[field])
    expect(all.filter((header) => headerKey(header) !== header)).toEqual([])
    expect(all.filter((header, index) => all.indexOf(header) !== index)).toEqual([])
  })

  const files: [language: string, headers: string][] = [
    [
      'English',
      'Date,From,To,Departure Time,Arrival Time,Arrival Date,Flight Number,Airline,Aircraft,Registration,Seat,Seat Number,Class,Reason,Note',
    ],
    [
      'German',
      'DATUM,Von,Nach,Abflug,Ankunft,Ankunftsdatum,Flugnummer,Fluggesellschaft,Flugzeugtyp,Kennzeichen,Sitz,Sitznummer,Klasse,Reisegrund,Bemerkung',
    ],
    [
      'French',
      "Date du vol,Aéroport de départ,Aéroport d'arrivée,Heure de départ,Heure d'arrivée,Date d’arrivée,N° de vol,Compagnie aérienne,Type d'avion,Immatriculation,Siège,Numéro de siège,Classe,Motif,Remarques",
    ],
    [
      'Spanish',
      'Fecha,Origen,Destino,Hora de salida,Hora de llegada,Fecha de llegada,Número de vuelo,Aerolínea,Tipo de avión,Matrícula,Asiento,Número de asiento,Clase,Motivo,Notas',
    ],
    [
      'Italian',
      'Data,Da,A,Partenza,Arrivo,Data di arrivo,Numero di volo,Compagnia aerea,Aeromobile,Matricola,Posto,Numero posto,Cabina,Motivo,Commento',
    ],
    [
      'Portuguese',
      'Data,Origem,Destino,Partida,Chegada,Data de chegada,Número do voo,Companhia aérea,Aeronave,Matrícula,Assento,Número do assento,Classe,Motivo,Observações',
    ],
  ]
  test.each(files)('are recognised in %s', (_, headers) => {
    const places = columnPlaces(headers.split(','))
    expect(csvFields.map((field) => places.get(field))).toEqual([...csvFields.keys()])
  })

  test('of times are preferred to those that may be airports', () => {
    const places = columnPlaces(['Departure', 'Arrival', 'Departure time', 'Heure d’arrivée'])
    expect([...places]).toEqual([
      ['departure', 2],
      ['arrival', 1],
    ])
  })

  test('are compared without case, accents and punctuation, and the first of two equal ones counts', () => {
    expect([...columnPlaces(['', 'FLIGHT-DATE', ' "From" ', 'to', 'To', 'from', 'date?'])]).toEqual([
      ['date', 6],
      ['from', 2],
      ['to', 3],
    ])
  })

  test('named by `columns` come first, and are not recognised for another field', () => {
    const headers = ['Date', 'Departure', 'Arrival', 'Seat', 'Tag']
    const columns = { date: 'tag', from: 'departure', to: 'Arrival', seat: null } as const
    expect([...columnPlaces(headers, columns)]).toEqual([
      ['date', 4],
      ['from', 1],
      ['to', 2],
    ])
    expect(columnPlaces(headers, { departure: 'Date', date: 'Date' }).get('departure')).toBe(0)
    expect(columnPlaces(headers, { date: 'Missing' }).get('date')).toBeUndefined()
    expect(columnPlaces(['#', 'from', 'to'], { date: '#' }).get('date')).toBe(0)
  })

  test.each(requiredFields)('without %s are refused with the missing field', (field) => {
    const headers = requiredFields.filter((other) => other !== field)
    expect(() => read(csv([...headers, 'x'].join(','), 'a,b,c'))).toThrow(
      `No column was recognised for ${field}. Name the columns with columns.`,
    )
    expect(() => read(csv('date,from,to', 'a,b,c'), { columns: { [field]: 'Other' } })).toThrow(
      'The file has no column Other.',
    )
  })

  test('lead to the format csv after all other formats', () => {
    const detect = (text: string, columns = {}) => detectFormat(contentOf(text), columns)
    expect(detect('Flight date\tOrigin\tDestination')).toBe('csv')
    expect(detect('Tag;Start;Ende', { date: 'Tag', from: 'Start', to: 'Ende' })).toBe('csv')
    expect(detect('date,from,to,miles,flightnum')).toBe('jetlovers')
    expect(() => detect('Tag;Start;Ende')).toThrow('The format of the file is not known.')
  })
})

describe('tables', () => {
  const expected = { date: '2024-05-03', from: { by: 'code', code: 'ZRH' }, to: { by: 'code', code: 'LIS' } }

  test.each([',', ';', '\t'])('are read with the delimiter %j', (delimiter) => {
    const line = (...cells: string[]) => cells.join(delimiter)
    const header = line('Date', 'From', 'To', 'Note')
    const note = `"one${delimiter} ""two""\nthree"`
    const text = `\uFEFF${csv(header, line('2024-05-03', 'ZRH', 'LIS', note))}`
    expect(first(text.slice(1))).toMatchObject({ ...expected, note: `one${delimiter} "two"\nthree` })
    expect(first(text.slice(1).replaceAll('\n', '\r\n'))).toMatchObject(expected)
  })

  test('may begin with a column without a header', () => {
    expect(first('\n \n\tDate\tFrom\tTo\n1\t2024-05-03\tZRH\tLIS')).toMatchObject(expected)
    expect(first(csv(',Date,From,To', '1,2024-05-03,ZRH,LIS'))).toMatchObject(expected)
  })

  test('have rows whose cells can be replaced', () => {
    const text = csv('Date,From,To,Note', '2024-05-03,?,LIS,=1+1', '2024-05-04,ZRH,LIS', '2024-05-05,ZRH,LIS,x')
    const file = read(text, { edits: { 1: { 1: 'ZRH' }, 2: { 3: 'b' } } })
    expect(reasons(file)).toEqual({})
    expect(flights(file)).toMatchObject({ 1: { ...expected, note: '=1+1' }, 2: { note: 'b' }, 3: { note: 'x' } })
    expect(reasons(read(text))).toEqual({ 2: 'The row has 3 cells, but the header has 4.' })
  })
})

describe('cells', () => {
  const airports: [string, object][] = [
    ['ZRH', { by: 'code', code: 'ZRH' }],
    ['LSZH', { by: 'code', code: 'LSZH' }],
    ['CH-0042', { by: 'code', code: 'CH-0042' }],
    ['Zürich (ZRH)', { by: 'code', code: 'ZRH' }],
    ['Zürich / Kloten (ZRH/LSZH)', { by: 'code', code: 'LSZH' }],
    ['ZRH – Zurich Airport', { by: 'code', code: 'ZRH' }],
    ['ZRH, Zurich', { by: 'code', code: 'ZRH' }],
    ['Zürich', { by: 'name', code: 'Zürich' }],
    ['zrh', { by: 'name', code: 'zrh' }],
    ['NEW  YORK', { by: 'name', code: 'NEW YORK' }],
    ['Washington (Dulles)', { by: 'name', code: 'Washington (Dulles)' }],
    ['São Paulo', { by: 'name', code: 'São Paulo' }],
  ]
  test.each(airports)('with the airport %s are a code or a name', (text, airport) => {
    expect(first(csv('date,from,to', `2024-05-03,"${text}",LIS`)).from).toEqual(airport)
  })

  const times: [string, string][] = [
    ['8:05', '2024-05-03T08:05:00'],
    ['08:05', '2024-05-03T08:05:00'],
    ['08:05:30', '2024-05-03T08:05:30'],
    ['8.05', '2024-05-03T08:05:00'],
    ['8h05', '2024-05-03T08:05:00'],
    ['0805', '2024-05-03T08:05:00'],
    ['805', '2024-05-03T08:05:00'],
    ['8:05 PM', '2024-05-03T20:05:00'],
    ['8:05pm', '2024-05-03T20:05:00'],
    ['12:05 a.m.', '2024-05-03T00:05:00'],
    ['12 PM', '2024-05-03T12:00:00'],
    ['2024-05-04 08:05', '2024-05-04T08:05:00'],
    ['2024-05-04T08:05:30.000', '2024-05-04T08:05:30'],
    ['20240504T0805', '2024-05-04T08:05:00'],
    ['4 May 2024, 8:05 PM', '2024-05-04T20:05:00'],
  ]
  test.each(times)('with the time %s are local times', (text, local) => {
    expect(cell('departure', text).departure).toEqual({ local, at: 'from' })
  })

  test.each([
    '2024-05-03T08:05:00Z',
    '2024-05-03 10:05+02:00',
    '2024-05-03T10:05:00+0200',
    '2024-05-03 10:05:00 +0200',
    '2024-05-03 10:05:00.000000+02',
  ])('with the time %s are instants', (text) => {
    expect(cell('departure', text).departure).toEqual({ instant: '2024-05-03T08:05:00.000Z' })
    expect(first(csv('date,from,to', `${text},ZRH,LIS`)).date).toBe('2024-05-03')
  })

  test.each([
    '24:00',
    '8:60',
    '13:00 PM',
    '0 AM',
    'noon',
    '2460',
    '8',
    '-1',
    '=TIME(8,5,0)',
    '8:05:99',
    'x'.repeat(99),
  ])('with the time %s are a problem', (text) =>
    expect(problemOf('departure', text)).toMatch(/^The time .* is not of the form HH:MM\.$/),
  )

  test('with an arrival have its day, or leave it open', () => {
    const arrivalOf = (header: string, ...cells: string[]) =>
      first(csv(`date,from,to,departure,${header}`, `2024-05-03,ZRH,LIS,23:00,${cells.join(',')}`))
    const at = (day: string, arrivalDay: string) => ({
      arrival: { local: `2024-05-0${day}T01:00:00`, at: 'to' },
      arrivalDay,
    })
    expect(arrivalOf('arrival', '1:00')).toMatchObject(at('3', 'unknown'))
    expect(arrivalOf('arrival', '1:00 +1')).toMatchObject(at('4', 'exact'))
    expect(arrivalOf('arrival', '1:00 (+1)')).toMatchObject(at('4', 'exact'))
    expect(arrivalOf('arrival', '2024-05-05 1:00')).toMatchObject(at('5', 'exact'))
    expect(arrivalOf('arrival,arrival date', '1:00', '2024-05-04')).toMatchObject(at('4', 'exact'))
    expect(arrivalOf('arrival,arrival date', '1:00 +1', '2024-05-04')).toMatchObject(at('4', 'exact'))
    expect(arrivalOf('arrival,arrival date', '', '2024-05-04').arrival).toBeUndefined()
  })

  test('with a departure on another day have the arrival on that day', () => {
    const [departure, arrival] = ['2024-05-04 00:10', '02:00']
    const found = first(csv('date,from,to,departure,arrival', `2024-05-03,ZRH,LIS,${departure},${arrival}`))
    expect(found.arrival).toEqual({ local: '2024-05-04T02:00:00', at: 'to' })
  })

  test('with a time and only a month or year have no time', () => {
    for (const [date, datePrecision] of [
      ['2024-05', 'month'],
      ['2024', 'year'],
    ]) {
      const found = first(csv('date,from,to,departure', `${date},ZRH,LIS,10:00`))
      expect([found.date?.slice(0, 4), found.datePrecision, found.departure]).toEqual([
        '2024',
        datePrecision,
        undefined,
      ])
    }
  })

  test('with other values are translated, and unknown ones are ignored', () => {
    expect(cell('seat', '12a')).toMatchObject({ seatNumber: '12a' })
    expect(cell('seat', 'Window').seat).toBe('window')
    expect(cell('seat', 'w').seat).toBe('window')
    expect(cell('seat', 'roof')).not.toHaveProperty('seat')
    expect(['Business', 'j', 'premium economy', 'Y', 'sofa'].map((text) => cell('class', text).seatClass)).toEqual([
      ...['business', 'business', 'economy+', 'economy'],
      undefined,
    ])
    expect(['leisure', 'Work', 'c', '?'].map((text) => cell('reason', text).flightReason)).toEqual([
      ...['leisure', 'business', 'crew'],
      undefined,
    ])
    expect(cell('flight no', '14 ')).toMatchObject({ flightNumber: '14', numberBehindAirline: '14' })
    expect(cell('flight no', 'LX14')).not.toHaveProperty('numberBehindAirline')
    expect(cell('flight no', 'LX14').airline?.lookups).toEqual([{ by: 'iata', value: 'LX' }])
    expect(cell('airline', 'Swiss (LX/SWR)').airline).toMatchObject({
      text: 'Swiss (LX/SWR)',
      lookups: expect.arrayContaining([
        { by: 'iata', value: 'LX' },
        { by: 'icao', value: 'SWR' },
        { by: 'name', value: 'Swiss' },
      ]),
    })
    expect(cell('aircraft', '77W').aircraft?.lookups).toContainEqual({ by: 'iata', value: '77W' })
  })

  test('that look like formulas or hold control characters are text', () => {
    for (const text of ['=1+1', '+1', '-1', '@x', '\u0000', '=HYPERLINK("http://x")']) {
      expect(cell('note', text).note).toBe(text)
    }
  })
})

describe('dates', () => {
  const dates = (...cells: string[]) => csv('date,from,to', ...cells.map((date) => `"${date}",ZRH,LIS`))
  const daysOf = (text: string, options: Partial<ParseOptions> = {}) =>
    [...read(text, options).rows].map(({ flight }) => flight?.date)

  const clear: [cells: string[], days: string[]][] = [
    [
      ['2024-05-03', '2024/5/4', '2024.05.05', '20240506'],
      ['2024-05-03', '2024-05-04', '2024-05-05', '2024-05-06'],
    ],
    [
      ['03/05/2024', '13/05/2024'],
      ['2024-05-03', '2024-05-13'],
    ],
    [
      ['05/03/2024', '05/13/2024'],
      ['2024-05-03', '2024-05-13'],
    ],
    [
      ['3.5.2024', '31.5.24', '31.5.89'],
      ['2024-05-03', '2024-05-31', '1989-05-31'],
    ],
    [['05/05/2024'], ['2024-05-05']],
    [
      ['3 May 2024', '3-MAY-24', '3. März 2024', 'May 3, 2024', '3rd Sept 2024', '3 août 2024', '3 de mayo de 2024'],
      ['2024-05-03', '2024-05-03', '2024-03-03', '2024-05-03', '2024-09-03', '2024-08-03', '2024-05-03'],
    ],
    [
      ['2024-05-03 00:00:00', '2024-05-03T10:00:00Z'],
      ['2024-05-03', '2024-05-03'],
    ],
    [['13/05/2024 00:00'], ['2024-05-13']],
    [['03/05/2024', '31/31/2024', '13/05/2024'], ['2024-05-03', undefined, '2024-05-13'] as string[]],
  ]
  test.each(clear)('are read from %j', (cells, days) => {
    expect(daysOf(dates(...cells)).map((day) => day ?? undefined)).toEqual(days)
  })

  test.each([
    ['both readings', ['03/05/2024', '04/05/2024']],
    ['both readings, with times', ['03.05.2024 10:00']],
    ['neither reading', ['13/05/2024', '05/13/2024']],
  ])('that allow %s are refused, unless the format is given', (_, cells) => {
    expect(() => read(dates(...cells))).toThrow(/Choose one with dateFormat: dmy or mdy\.$/)
    expect(daysOf(dates('03/05/2024', ...cells), { dateFormat: 'dmy' })[0]).toBe('2024-05-03')
    expect(daysOf(dates('03/05/2024', ...cells), { dateFormat: 'mdy' })[0]).toBe('2024-03-05')
  })

  test('of any row and column decide the format', () => {
    const text = csv('date,from,to,arrival,arrival date', '03/05/2024,ZRH,LIS,,', '04/05/2024,ZRH,LIS,,05/31/2024')
    expect(daysOf(text)).toEqual(['2024-03-05', '2024-04-05'])
    const inTimes = csv('date,from,to,departure', '03/05/2024,ZRH,LIS,', '04/05/2024,ZRH,LIS,31/05/2024 10:00')
    expect(daysOf(inTimes)).toEqual(['2024-05-03', '2024-05-04'])
  })

  test('of another form than the given format are a problem of the row', () => {
    expect(reasons(read(dates('03/05/2024', 'soon', '2024-02-30'), { dateFormat: 'iso' }))).toEqual({
      1: 'The date 03/05/2024 is not of the form YYYY-MM-DD.',
      2: 'The date soon is not of the form YYYY-MM-DD.',
      3: 'The date 2024-02-30 is not a day that exists.',
    })
    expect(reasons(read(dates('31/12/2024', ''), { dateFormat: 'mdy' }))).toEqual({
      1: 'The date 31/12/2024 is not a day that exists.',
      2: 'The row has no date.',
    })
  })
})

test('the format is chosen by name too', () => {
  expect(flights(parse('csv', csv('date,from,to', '2024-05-03,ZRH,LIS')))[1]).toMatchObject({ date: '2024-05-03' })
})
