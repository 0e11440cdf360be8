import { describe, expect, it } from 'vitest'
import { aircraftText, iataAircraftText } from '../../../src/domain/reference/build/aircraft.ts'
import { airlinesText } from '../../../src/domain/reference/build/airlines.ts'
import { zoneOf } from '../../../src/domain/reference/build/airports.ts'

describe('building airlines', () => {
  const source = [
    { name: 'Main Air', icao: 'MNA', iata: 'MA', routes: '90' },
    { name: 'Small Air Ltd', icao: 'OLD', iata: 'OA', routes: '0' },
    { name: 'Booking System', icao: '', iata: '1B', routes: '0' },
    { name: 'Some Railway', icao: '', iata: '2A', routes: '0' },
  ]
  const drop = { key: '2A Some Railway', action: 'drop', name: '', iata: '', defunct: '', reason: '' }

  it('keeps the order of the source and puts unused airlines with an added code last', () => {
    const additions = [
      { name: 'Old Air', icao: 'OLD', iata: 'OA', defunct: '1' },
      { name: 'Main Airways', icao: 'MNA', iata: 'MA', defunct: '1' },
    ]
    expect(airlinesText(source, [drop], additions)).toBe(
      'id,name,icao,iata,defunct,routes\nMNA,Main Air,MNA,MA,,90\nOLD,Old Air,OLD,OA,1,\nmain-airways,Main Airways,MNA,MA,1,\nsmall-air,Small Air,OLD,OA,,\n',
    )
  })

  it('replaces a row of the source by an added one of the same name and code', () => {
    const additions = [{ name: 'main air', icao: 'MNA', iata: 'MM', defunct: '1' }]
    expect(airlinesText(source.slice(0, 1), [], additions)).toBe(
      'id,name,icao,iata,defunct,routes\nMNA,main air,MNA,MM,1,\n',
    )
  })

  it('rejects corrections of unknown airlines and malformed codes', () => {
    expect(() => airlinesText(source, [{ ...drop, key: 'ZZZ' }], [])).toThrow('ZZZ')
    expect(() => airlinesText([{ name: 'Long', icao: 'LONG', iata: '', routes: '1' }], [], [])).toThrow('Long')
  })
})

describe('building aircraft types', () => {
  const row = { icao: 'AB12', manufacturer: 'Maker', model: '12', species: 'L', active: '1' }

  it('gives each designator one name, that of its model', () => {
    const rows = [row, { ...row, model: '12 Swallow' }, { ...row, manufacturer: 'Copier', model: 'C-1' }]
    expect(aircraftText(rows, [])).toBe('id,name,icao\nAB12,Maker 12 Swallow,AB12\n')
  })

  it('applies corrections, adds their designators and omits rows that are not aircraft', () => {
    const rows = [row, { ...row, icao: '-TWR' }, { ...row, icao: 'SHIP', species: '' }]
    expect(
      aircraftText(rows, [
        { icao: 'AB12', name: 'Swallow' },
        { icao: 'AA1', name: 'Lark' },
      ]),
    ).toBe('id,name,icao\nAA1,Lark,AA1\nAB12,Swallow,AB12\n')
  })

  it('rejects IATA codes without a designator', () => {
    expect(iataAircraftText([{ iata: '012', icao: 'AB12' }], [row])).toBe('iata,icao\n012,AB12\n')
    expect(() => iataAircraftText([{ iata: '012', icao: 'XX99' }], [row])).toThrow('012 XX99')
  })
})

describe('choosing a zone', () => {
  it('prefers the zone of the country where zones overlap', () => {
    expect(zoneOf(43.907, 87.474, 'CN')).toBe('Asia/Shanghai')
    expect(zoneOf(42.858, 41.128, 'GE')).toBe('Asia/Tbilisi')
    expect(zoneOf(52.36, 13.5, 'DE')).toBe('Europe/Berlin')
  })

  it('returns an offset at sea', () => {
    expect(zoneOf(0, -150, 'KI')).toBe('Etc/GMT+10')
  })
})
