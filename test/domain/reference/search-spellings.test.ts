import { describe, expect, test } from 'vitest'
import { compareHits, findAirports, findCoded } from '../../../src/domain/reference/search/find.ts'
import { readQuery } from '../../../src/domain/reference/search/query.ts'
import { shippedIndex } from '../../../src/domain/reference/search/shipped-index.ts'
import { movedAirports, readShippedAirports } from '../../../src/domain/reference/shipped.ts'

const airportCodes = new Map<string, string>()
for (const { sourceId, iata, icao } of readShippedAirports()) airportCodes.set(sourceId, iata ?? icao)

function airports(text: string): (string | undefined)[] {
  const hits = findAirports(shippedIndex('airports'), readQuery(text)!, () => false)
  return hits.sort(compareHits).map(({ key }) => airportCodes.get(key))
}

function keys(kind: 'airlines' | 'aircraft', text: string): string[] {
  const hits = findCoded(shippedIndex(kind), readQuery(text)!, () => false)
  return hits.sort(compareHits).map(({ key }) => key)
}

/** A line is what is found, and what people type for it, divided by semicolons. */
const linesOf = (table: string): [found: string, query: string][] =>
  table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [code = '', queries = ''] = line.trim().split(': ')
      return queries.split('; ').map((query): [string, string] => [code, query])
    })

function expectFirst(table: string, find: (query: string) => readonly (string | undefined)[]): void {
  const missed = linesOf(table).filter(([code, query]) => find(query)[0] !== code)
  expect(missed.map(([code, query]) => `${query}: ${code}, not ${find(query)[0]}`)).toEqual([])
}

describe('the airport that somebody means is first', () => {
  test('by a city in the languages of its visitors, and by what it was called before', () => {
    expectFirst(
      `
      VIE: viyana; vídeň; bécs; wenen; wiedeń
      MUC: münih; monachium; munique; monaco di baviera; mnichov
      VCE: venedik; venedig; wenecja; benátky; velence; venise
      CPH: copenhaga; kopenhag; københavn; kööpenhamina
      WAW: varşova; varšava; varsó; warschau
      SOF: sofiya; sofya
      KBP: kyjiv; kiyev; kiev; київ
      GDN: danzica; danzig
      IST: istanboel; constantinople; stambuł
      DAM: dimashq; damasco
      JED: cidde; jeddah
      ICN: sŏul; séoul; 서울; 인천
      SGN: thành phố hồ chí minh; saigon
      VOG: stalingrad
      KUF: kuibyshev
      NQZ: akmola; tselinograd; nur-sultan
      SKG: salonika; selanik; θεσσαλονίκη
      CMB: ceylon; sri lanka
      BDQ: baroda
      NDJ: fort lamy
      EAS: donostia
      KIX: kyoto; 関西
      `,
      airports,
    )
  })

  test('by a city together with its country, state or province', () => {
    expectFirst(
      `
      YXU: london canada; london ontario; canada london
      BHM: birmingham alabama; birmingham al
      BHX: birmingham uk; birmingham england
      SJO: san jose costa rica
      SJC: san jose california
      SCL: santiago chile; santiago de chile
      SCQ: santiago spain
      PWM: portland maine; portland me
      PDX: portland oregon
      MHT: manchester nh; manchester new hampshire
      LED: st petersburg russia
      PIE: st petersburg florida
      VLN: valencia venezuela
      APF: naples florida
      YQY: sydney nova scotia
      NTL: newcastle nsw; newcastle australia
      CMH: columbus ohio
      CSG: columbus georgia
      ZRH: zürich schweiz; zurich switzerland
      GLA: glasgow scotland
      EWR: newark new jersey
      HND: tokyo japan
      BOS: boston ma
      SFO: san francisco ca
      PER: perth wa
      CMN: casablanca maroc
      HKG: hong kong china
      `,
      airports,
    )
  })

  test('by what people call an airport', () => {
    expectFirst(
      `
      WAW: lotnisko chopina; okęcie
      CPH: københavns lufthavn
      YYZ: lester pearson
      JNB: oliver tambo; jan smuts
      MNL: naia
      CGK: sukarno hatta
      CGN: konrad adenauer
      MLE: hulhule
      TLV: lod airport; ben gurion
      BGY: caravaggio
      MAH: mahón
      TAG: tagbilaran; bohol
      CGY: laguindingan
      COV: adana
      ETM: eilat
      MOL: molde
      ETZ: metz
      BNK: byron bay
      MRE: masai mara
      `,
      airports,
    )
  })

  test('by a beginning, though an airport once had it as its code', () => {
    expect(airports('wars')[0]).toBe('WAW')
    expect(airports('SPIM')[0]).toBe('LIM')
  })

  test('an airport that others have moved to has their routes', () => {
    const index = shippedIndex('airports')
    const keyOf = new Map([...readShippedAirports()].map(({ icao, sourceId }) => [icao, sourceId]))
    const withoutUse = [...movedAirports().values()].filter(({ to }) => !index.uses[index.entryOf(keyOf.get(to)!)!])
    expect(withoutUse).toEqual([])
  })
})

test('the airline that somebody means is first', () => {
  expectFirst(
    `
    UAE: emirates airlines; emirates airline
    DAL: delta airlines
    MSR: egypt air
    SXS: sun express
    EXS: jet2.com
    TUI: tui fly
    AMX: aero mexico
    SBI: siberia airlines
    SAB: sabena
    VRG: varig
    boac: british overseas airways
    MXD: malindo
    OAW: helvetic
    `,
    (query) => keys('airlines', query),
  )
})

test('the aircraft type that somebody means is first', () => {
  expectFirst(
    `
    B788: dreamliner
    B779: 777x
    BCS3: a220; cs300
    A359: a350; airbus a350
    E290: e190e2; e190-e2
    A20N: a320-251n
    A320: a320ceo
    B77W: 777-300 er
    SU95: rrj-95; superjet
    DC93: dc-9
    `,
    (query) => keys('aircraft', query),
  )
})
