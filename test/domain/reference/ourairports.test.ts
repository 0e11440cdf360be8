import { describe, expect, it } from 'vitest'
import { correctAirports, sharedCodes } from '../../../src/domain/reference/airport-corrections.ts'
import { parseOurAirports } from '../../../src/domain/reference/ourairports.ts'
import type { AirportCorrection } from '../../../src/domain/reference/shipped.ts'

const HEADER =
  '"id","ident","type","name","latitude_deg","longitude_deg","elevation_ft","continent","iso_country","iso_region","municipality","scheduled_service","icao_code","iata_code","gps_code","local_code","home_link","wikipedia_link","keywords"'

type Row = { id: number; ident: string } & Partial<{
  type: string
  name: string
  latitude: string
  longitude: string
  continent: string
  country: string
  municipality: string
  icao: string
  iata: string
}>

function line(row: Row): string {
  const { id, ident, type = 'small_airport', name = `${ident} Field`, latitude = '10', longitude = `${id}` } = row
  const { continent = 'EU', country = 'DE', municipality = '', icao = '', iata = '' } = row
  return `${id},"${ident}","${type}","${name}",${latitude},${longitude},12,"${continent}","${country}","X-Y","${municipality}","no","${icao}","${iata}",,,,,"words"`
}

function parse(...rows: Row[]) {
  const text = [HEADER, ...rows.map(line)].join('\n')
  const { airports, problems } = parseOurAirports(text, (latitude, longitude) => `Zone/${latitude}/${longitude}`)
  return { airports: [...airports], problems }
}

describe('parseOurAirports', () => {
  it('reads a row with its codes, location and time zone', () => {
    const { airports, problems } = parse({
      id: 7,
      ident: 'XA-01',
      type: 'large_airport',
      name: 'Sample  Town\tAirport ',
      latitude: '50.12345678',
      longitude: '-8.5',
      municipality: ' Sample Town ',
      icao: 'EDXA',
      iata: 'XAQ',
    })
    expect(problems).toEqual([])
    expect(airports).toEqual([
      {
        sourceId: '7',
        icao: 'EDXA',
        iata: 'XAQ',
        name: 'Sample Town Airport',
        municipality: 'Sample Town',
        latitude: 50.123457,
        longitude: -8.5,
        timezone: 'Zone/50.123457/-8.5',
        type: 'large_airport',
        continent: 'EU',
        country: 'DE',
      },
    ])
  })

  it('accepts columns in any order and ignores unknown or missing optional ones', () => {
    const csv =
      '\uFEFFname,ident,id,type,iso_country,continent,longitude_deg,latitude_deg\nA,AAAA,1,closed,NO,EU,5,60\n'
    const { airports } = parseOurAirports(csv, () => 'Europe/Oslo')
    expect([...airports]).toMatchObject([{ sourceId: '1', icao: 'AAAA', iata: null, municipality: null, latitude: 60 }])
  })

  it('keeps the ident if the ICAO code is the ident of another row', () => {
    const { airports } = parse(
      { id: 1, ident: 'EDAA' },
      { id: 2, ident: 'DE-02', icao: 'EDAA' },
      { id: 3, ident: 'DE-03', icao: 'EDCC' },
    )
    expect(airports.map((airport) => airport.icao)).toEqual(['EDAA', 'DE-02', 'EDCC'])
  })

  it('omits invalid rows and reports the reasons', () => {
    const { airports, problems } = parse(
      { id: 1, ident: 'GOOD' },
      { id: 2, ident: 'bad ident!' },
      { id: 3, ident: 'NOLAT', latitude: '' },
      { id: 4, ident: 'FARLAT', latitude: '91' },
      { id: 5, ident: 'NOTYPE', type: 'spaceport' },
      { id: 6, ident: 'NOLAND', country: 'ZZ' },
      { id: 7, ident: 'RESERVED', country: 'AC' },
      { id: 8, ident: 'NONAME', name: ' ' },
      { id: 9, ident: 'BOGUS', name: '(Bogus)Crater' },
      { id: 1, ident: 'SAMEID' },
    )
    expect(airports.map((airport) => airport.icao)).toEqual(['GOOD'])
    expect(problems).toEqual([
      'bad ident!: the ident is not 2 to 8 of A-Z, 0-9 and "-".',
      'NOLAT: the coordinates are not numbers in range.',
      'FARLAT: the coordinates are not numbers in range.',
      'NOTYPE: the type "spaceport" is unknown.',
      'NOLAND: the country "ZZ" is not an ISO 3166-1 code.',
      'RESERVED: the country "AC" is not an ISO 3166-1 code.',
      'NONAME: the name is empty or too long.',
      'BOGUS: the name says that there is no such airport.',
      'SAMEID: another row has the same id or ident.',
    ])
  })

  it('removes editor remarks from names', () => {
    const names = [
      'Old Town Airport （Not fully opened)',
      '(*)Hill Base',
      'New Field [Under Construction]',
      '???...Lake Strip',
    ]
    const { airports } = parse(...names.map((name, index) => ({ id: index + 1, ident: `A${index}`, name })))
    expect(airports.map((airport) => airport.name)).toEqual([
      'Old Town Airport',
      'Hill Base',
      'New Field',
      'Lake Strip',
    ])
  })

  it('drops marked duplicates, except those with codes and no open airport of that name nearby', () => {
    const { airports } = parse(
      { id: 1, ident: 'AA-1', name: 'West Airport', type: 'closed', longitude: '5' },
      { id: 2, ident: 'AA-2', name: '[Duplicate] West Airport', longitude: '5', icao: 'AAWE', iata: 'WEA' },
      { id: 3, ident: 'AA-3', name: '[Duplicate] West Airport', longitude: '5' },
      { id: 4, ident: 'AA-4', name: 'East Airport', longitude: '9' },
      { id: 5, ident: 'AA-5', name: '(Duplicate) East Airport', longitude: '9', icao: 'AAEE' },
    )
    expect(airports.map((airport) => [airport.icao, airport.name])).toEqual([
      ['AA-1', 'West Airport'],
      ['AAWE', 'West Airport'],
      ['AA-4', 'East Airport'],
    ])
  })

  it('keeps the older of two rows with the same name, type and place', () => {
    const twin = { name: 'Twin Field', latitude: '1', longitude: '1' }
    const { airports, problems } = parse({ id: 9, ident: 'TW-9', ...twin }, { id: 4, ident: 'TW-4', ...twin })
    expect(airports.map((airport) => airport.icao)).toEqual(['TW-4'])
    expect(problems).toEqual(['TW-9: it is the same airport as TW-4.'])
  })

  it('assigns an IATA code to only one open airport and ignores placeholders', () => {
    const { airports } = parse(
      { id: 1, ident: 'A1', iata: 'QQA' },
      { id: 2, ident: 'A2', iata: 'QQA' },
      { id: 3, ident: 'A3', iata: 'XXX' },
    )
    expect(airports.map((airport) => airport.iata)).toEqual(['QQA', null, null])
  })

  it('assigns the Paracel Islands, which have no ISO code, to the administering country', () => {
    expect(parse({ id: 1, ident: 'XP-0003', country: 'XP', continent: 'AS' }).airports[0]?.country).toBe('CN')
  })

  it('rejects a file that is not the airports.csv of OurAirports', () => {
    expect(() => parseOurAirports('name,code\nA,B\n', () => 'UTC')).toThrow(
      /^This is not the airports\.csv of OurAirports\. Missing columns: .+\.$/,
    )
    expect(() => parseOurAirports('', () => 'UTC')).toThrow('This is not the airports.csv of OurAirports')
  })
})

describe('correctAirports', () => {
  const empty: AirportCorrection = {
    id: '',
    airport: 'sample',
    action: 'change',
    icao: '',
    iata: '',
    name: '',
    municipality: '',
    latitude: '',
    longitude: '',
    timezone: '',
    type: '',
    continent: '',
    country: '',
    reason: 'test',
  }
  const zone = () => 'Europe/Berlin'
  function corrected(lines: AirportCorrection[]) {
    const { airports: after, problems } = correctAirports(airports(), lines, zone)
    return { airports: [...after], problems }
  }
  const airports = () => parse({ id: 1, ident: 'AA-1', type: 'closed' }, { id: 2, ident: 'AA-2', iata: 'AAB' }).airports

  it('changes only filled cells and clears those with a dash', () => {
    const changed = corrected([
      { ...empty, id: '1', icao: 'EDDT', iata: 'TXL' },
      { ...empty, id: '2', iata: '-', latitude: '48' },
    ])
    expect(changed.problems).toEqual([])
    expect(changed.airports).toMatchObject([
      { icao: 'EDDT', iata: 'TXL', name: 'AA-1 Field', timezone: 'Zone/10/1' },
      { icao: 'AA-2', iata: null, latitude: 48, timezone: 'Europe/Berlin' },
    ])
  })

  it('drops and adds rows', () => {
    const added = {
      id: 'paxlog-new',
      icao: 'EDNW',
      name: 'New',
      latitude: '50',
      longitude: '8',
      continent: 'EU',
      country: 'DE',
    }
    const lines = [
      { ...empty, id: '1', action: 'drop' },
      { ...empty, ...added, action: 'add' },
    ]
    const { airports: after, problems } = corrected(lines)
    expect(problems).toEqual([])
    expect(after.map((airport) => airport.sourceId)).toEqual(['2', 'paxlog-new'])
  })

  it('reports lines that do not match the data', () => {
    const lines = [
      { ...empty, id: '8' },
      { ...empty, id: '9', action: 'drop' },
      { ...empty, id: '1', action: 'mend' },
      { ...empty, id: '1', icao: 'AA-2' },
      { ...empty, id: '2', country: 'ZZ' },
    ]
    const { airports: after, problems } = corrected(lines)
    expect(problems).toHaveLength(4)
    expect(sharedCodes(after)).toEqual(['2: the code AA-2 belongs to 1.'])
  })
})
