import { describe, expect, test } from 'vitest'
import { compareHits, findAirports, findCoded } from '../../../src/domain/reference/search/find.ts'
import { shippedIndex } from '../../../src/domain/reference/search/indexes.ts'
import { otherSpellings, romanised } from '../../../src/domain/reference/search/other-spellings.ts'
import { readQuery } from '../../../src/domain/reference/search/query.ts'
import { movedAirports, readShippedAirports } from '../../../src/domain/reference/shipped.ts'

const airportCodes = new Map<string, string>()
for (const { sourceId, iata, icao } of readShippedAirports()) airportCodes.set(sourceId, iata ?? icao)

function airports(text: string): (string | undefined)[] {
  const hits = findAirports(shippedIndex('airports'), readQuery(text)!)
  return hits.sort(compareHits).map(({ key }) => airportCodes.get(key))
}

function keys(kind: 'airlines' | 'aircraft', text: string): string[] {
  const hits = findCoded(shippedIndex(kind), readQuery(text)!)
  return hits.sort(compareHits).map(({ key }) => key)
}

/** Each line has the expected code, and queries separated by semicolons. */
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

describe('the expected airport is first', () => {
  test('by a city in other languages, and by its former names', () => {
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

  test('by a city in other scripts', () => {
    expectFirst(
      `
      LHR: לונדון; 倫敦; ลอนดอน; लंदन
      ZRH: Ζυρίχη; زيورخ; ציריך; 蘇黎世; ซูริก
      JFK: ניו יורק; 紐約; न्यूयॉर्क
      AMS: أمستردام; 암스테르담; Άμστερνταμ
      SVO: موسكو; Μόσχα; מוסקבה
      HKT: プーケット; 푸켓
      HIJ: Хиросима; ひろしま
      DEL: नई दिल्ली; デリー; 델리
      EZE: Μπουένος Άιρες; 부에노스아이레스
      `,
      airports,
    )
  })

  test('by its transliterated Cyrillic or Greek name', () => {
    expectFirst(
      `
      PDV: Пловдив
      OHD: Охрид
      BNX: Бања Лука
      KVA: Καβάλα
      JSI: Σκιάθος
      CWC: Чернівці
      `,
      (query) => romanised(query).flatMap((spelling) => airports(spelling).slice(0, 1)),
    )
    expect(romanised('zürich')).toEqual([])
  })

  test('by a name with a kind of place, if no row has both', () => {
    expectFirst(
      `
      CJU: jeju island
      DVO: davao city
      BRR: isle of barra
      YQB: ville de québec
      HTI: hamilton island
      MCI: kansas city
      NLK: norfolk island
      YTZ: toronto island
      LCY: city airport london
      `,
      airports,
    )
  })

  test('by alternative spellings, only if the query as written finds nothing', () => {
    expectFirst(
      `
      CAN: guang zhou; guangzhou bai yun; 白云机场
      BLR: kempe gowda
      LAS: mc carran
      PVG: pu dong; 浦东机场
      GMP: 김포공항; 김포국제공항
      ICN: 인천국제공항
      HKG: 香港國際機場
      FUK: 福岡空港
      BKK: ท่าอากาศยานสุวรรณภูมิ
      WUH: 武汉天河国际机场
      ITM: 大阪伊丹
      LHR: heathrow terminal 5; LHR T5
      SIN: changi t3
      JTR: santorini (thira) national
      SAW: Sabiha Gökçen Uluslararası Havalimanı
      MSQ: Национальный аэропорт Минск
      `,
      (query) => {
        const asWritten = airports(query)
        if (asWritten.length > 0) return [`found as it is written: ${asWritten[0]}`]
        const found = otherSpellings(query).map(airports)
        return found.find((list) => list.length > 0) ?? []
      },
    )
    expect(otherSpellings('zürich')).toEqual([])
    expect(otherSpellings('空港')).toEqual([])
    expect(otherSpellings('a b c d e')).toEqual([])
  })

  test('by a country or state alone, before airports with a word of that prefix', () => {
    expectFirst(
      `
      BKO: mali
      MVD: uruguay
      ASU: paraguay
      LFW: togo
      WDH: namibia
      LBV: gabon
      ANC: alaska
      BKI: sabah
      HAH: komoren
      BSL: basel switzerland
      `,
      airports,
    )
  })

  test('by a prefix of a name with several words, before names that contain these words', () => {
    expectFirst(
      `
      SAN: san d; san di
      STL: st lou
      BTS: m. r. štef
      SGN: ho c
      `,
      airports,
    )
  })

  test('by a nearby destination', () => {
    expectFirst(
      `
      NAP: sorrento
      CTA: taormina
      TFS: costa adeje
      DPS: ubud
      DAD: hoi an
      SKG: halkidiki
      FAO: albufeira
      `,
      airports,
    )
  })

  test('by a name with an additional apostrophe', () => {
    expectFirst(
      `
      SAH: sana'a; sana’a
      LIH: lihu'e
      `,
      airports,
    )
  })

  test('by an exact name, before one that differs in spaces', () => {
    expectFirst(
      `
      GEO: georgetown
      PEN: george town
      JFK: newyork
      GRU: saopaulo; sao p
      BVC: boa vista
      `,
      airports,
    )
  })

  test('by its name with the local word for airport', () => {
    expectFirst(
      `
      IST: istanbul havaalanı
      HEL: helsinki lentoasema
      OTP: aeroportul otopeni; aeroportul internațional henri coandă
      BEG: aerodrom beograd; aerodrom nikola tesla
      CGK: bandara soekarno-hatta
      CAI: مطار القاهرة الدولي
      `,
      airports,
    )
  })

  test('by its official full name', () => {
    expectFirst(
      `
      LIT: bill and hillary clinton national airport
      PVD: theodore francis green memorial state airport
      SOF: vasil levski sofia airport
      CHQ: chania international airport ioannis daskalogiannis
      TBS: shota rustaveli tbilisi international airport
      ATQ: sri guru ram dass jee international airport
      WAW: warsaw frederic chopin
      VKO: vnukovo andrei tupolev international airport
      DME: moscow domodedovo mikhail lomonosov airport
      MEX: aeropuerto internacional de la ciudad de méxico
      `,
      airports,
    )
  })

  test('by a prefix, before heliports and closed airports in a town of that name', () => {
    expectFirst(
      `
      DXB: duba
      BKK: bang
      SGN: saigo
      DEL: new de
      `,
      airports,
    )
  })

  test('by a city with its country, state or province', () => {
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

  test('by its common name', () => {
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

  test('by a prefix, before an airport that had it as a former code', () => {
    expect(airports('wars')[0]).toBe('WAW')
    expect(airports('SPIM')[0]).toBe('LIM')
  })

  test('an airport that replaced another one has its routes', () => {
    const { entriesWith, uses } = shippedIndex('airports')
    const withoutUse = [...movedAirports().from.keys()].filter(
      (icao) => !entriesWith('icao', icao.toLowerCase()).some((entry) => uses[entry]),
    )
    expect(withoutUse).toEqual([])
  })
})

test('the expected airline is first', () => {
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
    SKW: sky west
    VJC: viet jet
    BER: airberlin
    DLH: deutsche lufthansa
    BEE: flybe
    air-uk: air uk
    ITF: air inter
    TCX: thomas cook airlines; thomas cook
    JZA: air canada jazz
    KHV: cambodia angkor air
    TBA: tibet airlines
    RXA: regional express
    PBD: dp
    SEU: u5
    PUE: pu
    KAL: 대한항공
    CES: 东方航空
    ANA: 全日空
    OCN: eurowings discover
    TFL: arkefly
    `,
    (query) => keys('airlines', query),
  )
  expect(otherSpellings('Победа', 'airlines').flatMap((spelling) => keys('airlines', spelling))[0]).toBe('PBD')
})

test('the expected aircraft type is first', () => {
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
    GLF5: g550; gulfstream g550
    CL60: challenger 604
    C208: grand caravan
    AS50: as-350; squirrel
    F100: fokker100
    B38M: 737max8
    DHC6: twinotter
    SR22: sr-22; cirrus sr-22
    B77W: b777-300er
    A310: a310-300
    A306: a300-600r
    A359: a350-941; a350-900ulr
    SF34: saab 340b
    C208: cessna 208b
    B748: 747-8f
    DH8D: dhc-8-402
    B78X: 78j; 787-1000
    F16: f-16
    DC3: dc 3; c-47
    A320: a-320; airbus 320
    P51: mustang
    `,
    (query) => keys('aircraft', query),
  )
})

test('an aircraft type is found by a customer model name, only if no type has that name', () => {
  expectFirst(
    `
    A320: a320-214; A320-232
    A321: airbus a321-231
    A388: a380-841
    B738: 737-8k5; boeing 737-86n
    B744: 747-436
    B77W: 777-328er
    MD11: md-11f
    CRJ9: crj-900lr
    T154: ту-154
    `,
    (query) => {
      const asWritten = keys('aircraft', query)
      if (asWritten.length > 0) return [`found as it is written: ${asWritten[0]}`]
      const found = otherSpellings(query, 'aircraft').map((spelling) => keys('aircraft', spelling))
      return found.find((list) => list.length > 0) ?? []
    },
  )
})
