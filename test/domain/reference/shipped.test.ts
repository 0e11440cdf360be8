import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { countries } from 'countries-list'
import { describe, expect, it } from 'vitest'
import { zipped } from '../../../src/domain/reference/build/files.ts'
import { continentOf } from '../../../src/domain/reference/countries.ts'
import {
  iataAircraftCodes,
  movedAirports,
  readAirportCorrections,
  readShippedAircraft,
  readShippedAirlines,
  readShippedAirports,
  type ShippedAirport,
  shippedVersion,
} from '../../../src/domain/reference/shipped.ts'
import { formerCodeUses, shippedValidity } from '../../../src/domain/reference/validity.ts'
import { isCalendarDay } from '../../../src/lib/dates.ts'

const airports = [...readShippedAirports()]
const airlines = readShippedAirlines()
const aircraft = readShippedAircraft()

function repeated(values: (string | null)[]): string[] {
  const seen = new Set<string>()
  return values.filter((value): value is string => value !== null && (seen.has(value) || !seen.add(value)))
}

function invalidRows<Row>(rows: Row[], fits: (row: Row) => boolean): Row[] {
  return rows.filter((row) => !fits(row)).slice(0, 5)
}

function isTrimmed(text: string): boolean {
  return (
    text === text.trim().normalize('NFC') &&
    text.length >= 1 &&
    text.length <= 200 &&
    !/[\p{Cc}\p{Cf}]|\s{2}/u.test(text)
  )
}

function airport(iata: string): ShippedAirport | undefined {
  const found = airports.filter((row) => row.iata === iata)
  return found.find((row) => row.type !== 'closed') ?? found[0]
}

function airline(code: string) {
  return airlines.find((row) => row.icao === code || row.iata === code)
}

describe('shipped airports', () => {
  it('are nearly all of the source, without duplicates', () => {
    expect(airports.length).toBeGreaterThan(85_000)
    expect(repeated(airports.map((row) => row.sourceId))).toEqual([])
    expect(repeated(airports.map((row) => row.icao))).toEqual([])
    expect(repeated(airports.filter((row) => row.type !== 'closed').map((row) => row.iata))).toEqual([])
  })

  it('are mostly on the continent of their country', () => {
    const shares = new Map<string, number>()
    for (const { country, continent } of airports) {
      shares.set(country, (shares.get(country) ?? 0) + (continent === continentOf(country) ? 1 : -1))
    }
    // The sources disagree about islands near Antarctica.
    const exceptions = [...shares].filter(([country, share]) => share < 0 && !['HM', 'TF'].includes(country))
    expect(exceptions).toEqual([])
  })

  it('have well-formed codes, names and locations', () => {
    expect(invalidRows(airports, (row) => /^[A-Z0-9-]{2,8}$/.test(row.icao))).toEqual([])
    expect(invalidRows(airports, (row) => row.iata === null || /^[A-Z0-9]{3}$/.test(row.iata))).toEqual([])
    expect(
      invalidRows(airports, (row) => isTrimmed(row.name) && (row.municipality === null || isTrimmed(row.municipality))),
    ).toEqual([])
    expect(invalidRows(airports, (row) => Math.abs(row.latitude) <= 90 && Math.abs(row.longitude) <= 180)).toEqual([])
    expect([...new Set(airports.map((row) => row.type))].sort()).toEqual([
      'balloonport',
      'closed',
      'heliport',
      'large_airport',
      'medium_airport',
      'seaplane_base',
      'small_airport',
    ])
    expect([...new Set(airports.map((row) => row.continent))].sort()).toEqual([
      'AF',
      'AN',
      'AS',
      'EU',
      'NA',
      'OC',
      'SA',
    ])
  })

  it('have no editor remarks in their names', () => {
    const remark = /duplicate|under construction|not fully opened|\(\*\)|\[closed\]|unusable|\(bogus\)|^\W*$/i
    expect(invalidRows(airports, (row) => !remark.test(row.name))).toEqual([])
  })

  it('are in countries of ISO 3166-1 or in Kosovo', () => {
    const known = new Set(Object.keys(countries).filter((code) => code !== 'AC' && code !== 'TA'))
    expect(known.size).toBe(250)
    expect(invalidRows(airports, (row) => known.has(row.country))).toEqual([])
    expect(airports.some((row) => row.country === 'XK')).toBe(true)
  })

  it('have supported time zones', () => {
    for (const timezone of new Set(airports.map((row) => row.timezone))) {
      expect(() => new Intl.DateTimeFormat('en', { timeZone: timezone }), timezone).not.toThrow()
    }
  })

  it.each([
    ['JFK', 'KJFK', 'America/New_York'],
    ['EWR', 'KEWR', 'America/New_York'],
    ['LAX', 'KLAX', 'America/Los_Angeles'],
    ['HNL', 'PHNL', 'Pacific/Honolulu'],
    ['MEX', 'MMMX', 'America/Mexico_City'],
    ['CUN', 'MMUN', 'America/Cancun'],
    ['LHR', 'EGLL', 'Europe/London'],
    ['BER', 'EDDB', 'Europe/Berlin'],
    ['FRA', 'EDDF', 'Europe/Berlin'],
    ['IST', 'LTFM', 'Europe/Istanbul'],
    ['CPH', 'EKCH', 'Europe/Copenhagen'],
    ['ZRH', 'LSZH', 'Europe/Zurich'],
    ['LIS', 'LPPT', 'Europe/Lisbon'],
    ['AMM', 'OJAI', 'Asia/Amman'],
    ['DXB', 'OMDB', 'Asia/Dubai'],
    ['DEL', 'VIDP', 'Asia/Kolkata'],
    ['MAA', 'VOMM', 'Asia/Kolkata'],
    ['KTM', 'VNKT', 'Asia/Kathmandu'],
    ['SIN', 'WSSS', 'Asia/Singapore'],
    ['KUL', 'WMKK', 'Asia/Kuala_Lumpur'],
    ['BKI', 'WBKK', 'Asia/Kuching'],
    ['PKX', 'ZBAD', 'Asia/Shanghai'],
    ['URC', 'ZWWW', 'Asia/Shanghai'],
    ['HND', 'RJTT', 'Asia/Tokyo'],
    ['BNE', 'YBBN', 'Australia/Brisbane'],
    ['ADL', 'YPAD', 'Australia/Adelaide'],
    ['SYD', 'YSSY', 'Australia/Sydney'],
    ['WSI', 'YSWS', 'Australia/Sydney'],
    ['LDH', 'YLHI', 'Australia/Lord_Howe'],
    ['AKL', 'NZAA', 'Pacific/Auckland'],
    ['OOL', 'YBCG', 'Australia/Brisbane'],
    ['CXI', 'PLCH', 'Pacific/Kiritimati'],
    ['APW', 'NSFA', 'Pacific/Apia'],
    ['PRN', 'BKPR', 'Europe/Belgrade'],
  ])('have %s as %s in %s', (iata, icao, timezone) => {
    expect(airport(iata)).toMatchObject({ icao, timezone })
    expect(airport(iata)?.type).not.toBe('closed')
  })

  it.each([
    ['TXL', 'EDDT'],
    ['THF', 'EDDI'],
    ['SXF', 'DE-0440'],
    ['FBU', 'NO-0099'],
    ['DSA', 'EGCN'],
    ['SDV', 'LLSD'],
    ['REP', 'VDSR'],
    ['TIP', 'HLLT'],
    ['PFN', 'KPFN'],
    ['GSW', 'KGSW'],
    ['ULC', 'SCTI'],
  ])('have the closed airport %s with its former code', (iata, icao) => {
    expect(airport(iata)).toMatchObject({ icao, type: 'closed' })
  })

  it('assign reused codes to the new airport', () => {
    expect(
      airports
        .filter((row) => ['HKG', 'DEN', 'MUC', 'AUS'].includes(row.iata ?? ''))
        .map((row) => row.icao)
        .sort(),
    ).toEqual(['EDDM', 'KAUS', 'KDEN', 'VHHH'])
    expect(airports.find((row) => row.icao === 'VHHX')).toMatchObject({
      type: 'closed',
      name: 'Hong Kong Kai Tak Airport',
    })
    expect(airports.find((row) => row.icao === 'SEQU')).toMatchObject({ type: 'closed', country: 'EC' })
  })

  it('contain every correction', () => {
    const byId = new Map(airports.map((row) => [row.sourceId, row]))
    for (const line of readAirportCorrections()) {
      const row = byId.get(line.id)
      expect(line.reason, line.id).toMatch(/\.$/)
      expect(row === undefined, line.airport).toBe(line.action === 'drop')
      if (line.icao) expect(row?.icao).toBe(line.icao)
      if (line.iata) expect(row?.iata).toBe(line.iata === '-' ? null : line.iata)
      if (line.country) expect(row?.country).toBe(line.country)
    }
  })
})

describe('shipped airlines', () => {
  it('have unique ids, and names that are unique within an ICAO code', () => {
    expect(airlines.length).toBeGreaterThan(6_000)
    expect(repeated(airlines.map((row) => row.sourceId))).toEqual([])
    expect(repeated(airlines.map((row) => `${row.name.toLowerCase()} ${row.icao}`))).toEqual([])
  })

  it('have well-formed names and codes', () => {
    expect(invalidRows(airlines, (row) => isTrimmed(row.name))).toEqual([])
    expect(invalidRows(airlines, (row) => row.icao === null || /^[A-Z0-9]{1,3}$/.test(row.icao))).toEqual([])
    expect(invalidRows(airlines, (row) => row.iata === null || /^[A-Z0-9]{2}\*?$/.test(row.iata))).toEqual([])
  })

  it.each([
    ['BA', 'British Airways', 'BAW'],
    ['LX', 'Swiss International Air Lines', 'SWR'],
    ['U2', 'easyJet', 'EZY'],
    ['WN', 'Southwest Airlines', 'SWA'],
    ['LH', 'Lufthansa', 'DLH'],
    ['QF', 'Qantas', 'QFA'],
    ['AZ', 'ITA Airways', 'ITY'],
    ['SN', 'Brussels Airlines', 'BEL'],
    ['AB', 'Air Berlin', 'BER'],
    ['NW', 'Northwest Airlines', 'NWA'],
    ['PA', 'Airblue', 'ABQ'],
    ['US', 'US Airways', 'AWE'],
    ['4U', 'Germanwings', 'GWI'],
    ['ST', 'Germania', 'GMI'],
    ['3M', 'Silver Airways', 'SIL'],
    ['VW', 'Aeromar', 'TAO'],
    ['5H', 'Fly540', 'FFV'],
    ['4Q', 'Safi Airways', 'SFW'],
    ['3H', 'Air Inuit', 'AIE'],
    ['9M', 'Central Mountain Air', 'GLR'],
    ['YN', 'Air Creebec', 'CRQ'],
    ['YT', 'Yeti Airlines', 'NYT'],
    ['YC', 'Yamal Airlines', 'LLM'],
    ['9N', 'Tropic Air', 'TOS'],
  ])('have the main airline first: %s is %s', (iata, name, icao) => {
    expect(airline(iata)).toMatchObject({ name, icao })
  })

  it.each([
    'Swissair',
    'Sabena',
    'Alitalia',
    'Varig',
    'Interflug',
    'WOW air',
    'BOAC',
    'Trans World Airlines',
    'Flybe',
    'LTU',
  ])('contain the defunct airline %s', (name) => {
    expect(airlines.find((row) => row.name === name)).toMatchObject({ defunct: true })
  })

  it('contain at least 80 defunct airlines, and active ones are not marked', () => {
    expect(airlines.filter((row) => row.defunct).length).toBeGreaterThan(300)
    expect(airlines.slice(0, 30).some((row) => row.defunct)).toBe(false)
  })

  it('contain no reservation systems or railways', () => {
    const names = airlines.map((row) => row.name)
    expect(names).not.toContain('Sabre')
    expect(names).not.toContain('Amadeus Global Travel Distribution')
    expect(names).not.toContain('Deutsche Bahn')
  })
})

describe('shipped aircraft types', () => {
  it('have one row for each designator', () => {
    expect(aircraft.length).toBeGreaterThan(2_840)
    expect(repeated(aircraft.map((row) => row.icao))).toEqual([])
    expect(invalidRows(aircraft, (row) => /^[A-Z0-9]{2,4}$/.test(row.icao) && isTrimmed(row.name))).toEqual([])
  })

  it.each([
    ['A20N', 'Airbus A320neo'],
    ['A388', 'Airbus A380-800'],
    ['BCS3', 'Airbus A220-300'],
    ['B738', 'Boeing 737-800'],
    ['E190', 'Embraer E190'],
    ['AT76', 'ATR 72-600'],
    ['DH8D', 'De Havilland Canada Dash 8-400'],
    ['C172', 'Cessna 172 Skyhawk'],
    ['CONC', 'Aérospatiale/BAC Concorde'],
    ['COMT', 'De Havilland Comet'],
    ['S210', 'Sud Aviation Caravelle'],
    ['CONI', 'Lockheed Constellation'],
  ])('name %s as %s', (icao, name) => {
    expect(aircraft.find((row) => row.icao === icao)?.name).toBe(name)
  })

  it('include the targets of all IATA aircraft codes', () => {
    const designators = new Set(aircraft.map((row) => row.icao))
    const codes = iataAircraftCodes()
    expect(codes.size).toBeGreaterThan(200)
    expect([...codes].filter(([iata, icao]) => !/^[A-Z0-9]{3}$/.test(iata) || !designators.has(icao))).toEqual([])
  })

  it.each([
    ['320', 'A320'],
    ['32N', 'A20N'],
    ['73H', 'B738'],
    ['77W', 'B77W'],
    ['788', 'B788'],
    ['359', 'A359'],
    ['388', 'A388'],
    ['223', 'BCS3'],
    ['CR9', 'CRJ9'],
    ['E90', 'E190'],
    ['DH4', 'DH8D'],
  ])('map the IATA code %s to %s', (iata, icao) => {
    expect(iataAircraftCodes().get(iata)).toBe(icao)
  })
})

describe('shipped data', () => {
  it('has a version', () => {
    expect(shippedVersion()).toMatch(/^[0-9a-f]{12}$/)
  })

  it('is compressed reproducibly', () => {
    const bytes = readFileSync(new URL('../../../src/domain/reference/data/airports.tsv.gz', import.meta.url))
    expect(zipped(gunzipSync(bytes)).equals(bytes)).toBe(true)
  })
})

describe('the days of existence', () => {
  const validity = {
    airports: shippedValidity('airports'),
    airlines: shippedValidity('airlines'),
  }

  it('belong to shipped rows and are in order', () => {
    const ids = {
      airports: new Set(airports.map(({ sourceId }) => sourceId)),
      airlines: new Set(airlines.map(({ sourceId }) => sourceId)),
    }
    for (const kind of ['airports', 'airlines'] as const) {
      const uses = [...formerCodeUses(kind).values()].flat()
      const lines = [...uses, ...[...validity[kind]].map(([sourceId, days]) => ({ sourceId, ...days }))]
      expect(lines.length).toBeGreaterThan(200)
      expect(lines.filter(({ sourceId }) => !ids[kind].has(sourceId))).toEqual([])
      expect(lines.filter(({ validFrom, validUntil }) => validFrom && validUntil && validFrom > validUntil)).toEqual([])
      for (const { validFrom, validUntil } of lines)
        for (const day of [validFrom, validUntil]) expect(day === null || isCalendarDay(day), `${day}`).toBe(true)
    }
  })

  it('of a month or year begin with its first day and end with its last', () => {
    expect(validity.airlines.get('TAO')).toEqual({ validFrom: '1987-01-01', validUntil: '2023-02-15' })
    expect(validity.airlines.get('SLK')?.validUntil).toBe('2021-05-31')
    expect(validity.airlines.get('boac')?.validUntil).toBe('1974-03-31')
    expect(validity.airlines.get('VRN')?.validUntil).toBe('2009-12-31')
  })

  it('are known for every airport that has moved its flights', () => {
    const byIcao = new Map(airports.map(({ icao, sourceId }) => [icao, sourceId]))
    const unknown = [...movedAirports().from.keys()].filter((icao) => !validity.airports.has(byIcao.get(icao) ?? ''))
    // These were military airfields before.
    expect(unknown).toEqual(['HLLM', 'KGRK', 'VAOZ', 'VICX'])
  })

  it('are known for most IATA codes of several airlines', () => {
    const byCode = Map.groupBy(airlines, ({ iata }) => iata?.replace('*', '') ?? '')
    const shared = [...byCode].filter(([code, holders]) => code !== '' && holders.length > 1)
    const former = formerCodeUses('airlines')
    const withoutDays = shared.filter(
      ([code, holders]) => !former.has(code) && !holders.some(({ sourceId }) => validity.airlines.has(sourceId)),
    )
    expect(shared.length).toBeGreaterThan(400)
    // Listed by kind in data/README.md.
    expect(withoutDays.length).toBeLessThanOrEqual(61)
  })
})
