import { describe, expect, test } from 'vitest'
import { TrackWrite } from '../../../src/domain/flights/tracks/contract.ts'
import { gpxPieces } from '../../../src/domain/flights/tracks/files/write-gpx.ts'
import { errorOf, gpx, kml, read } from '../../support/read-track.ts'

describe('the GPX reader', () => {
  test('returns the points of all tracks in order, with altitude, time, speed and course', async () => {
    const track = await read(
      gpx(`<trk><name>A &amp; B</name><trkseg>
        <trkpt lat="47.458" lon='8.548'><ele>430</ele><time>2025-05-03T10:20:00Z</time>
          <extensions><gpxtpx:speed>100</gpxtpx:speed><gpxtpx:course>231.5</gpxtpx:course></extensions></trkpt>
        </trkseg><trkseg><trkpt lat="46" lon="7"><ele><![CDATA[1000.5]]></ele><time>2025-05-03T12:20:42+02:00</time>
          <speed>0</speed><course>0</course></trkpt></trkseg></trk>`),
      'LX2084.gpx',
    )
    expect(track).toEqual({
      coordinates: [
        [8.548, 47.458, 430],
        [7, 46, 1000.5],
      ],
      times: [1746267600, 1746267642],
      groundSpeedKt: [194.4, 0],
      trackDeg: [231.5, 0],
      sourceFormat: 'gpx',
      sourceName: 'LX2084.gpx',
    })
    expect(TrackWrite.safeParse(track).success).toBe(true)
  })

  test('omits a list if some points have no value', async () => {
    const { coordinates, times } = await read(
      gpx(
        '<trk><trkpt lat="1" lon="2"><time>2025-05-03T10:20:00Z</time></trkpt><trkpt lat="3" lon="4"><ele>7</ele></trkpt></trk>',
      ),
    )
    expect([coordinates, times]).toEqual([
      [
        [2, 1],
        [4, 3, 7],
      ],
      undefined,
    ])
  })

  test('returns the route of a file without a track', async () => {
    const { coordinates } = await read(
      gpx('<wpt lat="9" lon="9"/><rte><rtept lat="1" lon="2"/><rtept lat="3" lon="4"/></rte>'),
    )
    expect(coordinates).toHaveLength(2)
  })

  test('accepts a byte order mark and a line break at the start', async () => {
    const { coordinates } = await read(`\uFEFF\n${gpx('<trkpt lat="1" lon="2"/><trkpt lat="3" lon="4"/>')}`)
    expect(coordinates).toHaveLength(2)
  })

  test('reads the GPX download of a track', async () => {
    const stored = {
      coordinates: [
        [8.548, 47.458, 430],
        [7, 46],
      ],
      times: [1746267600, 1746267642],
    }
    const text = [...gpxPieces(stored, 'A & <B>')].join('')
    expect(await read(text)).toMatchObject(stored)
  })
})

describe('the KML reader', () => {
  test('returns the gx:Track without placemarks', async () => {
    const track = await read(
      kml(`<Placemark><Point><coordinates>1,1,0</coordinates></Point></Placemark><Placemark><gx:MultiTrack><gx:Track>
        <when>2025-05-03T10:20:00Z</when><when>2025-05-03T10:21:00Z</when>
        <gx:coord>8.548 47.458 430</gx:coord><gx:coord>8 47 2000</gx:coord></gx:Track>
        <gx:Track><when>2025-05-03T10:22:00Z</when><gx:coord>7 46 3000</gx:coord></gx:Track></gx:MultiTrack></Placemark>`),
    )
    expect(track).toMatchObject({
      sourceFormat: 'kml',
      coordinates: [
        [8.548, 47.458, 430],
        [8, 47, 2000],
        [7, 46, 3000],
      ],
      times: [1746267600, 1746267660, 1746267720],
    })
  })

  test('returns points with times of a file without a track', async () => {
    const point = (time: string, at: string) =>
      `<Placemark><TimeStamp><when>${time}</when></TimeStamp><Point><coordinates>${at}</coordinates></Point></Placemark>`
    const track = await read(
      kml(
        point('2025-05-03T10:20:00+00:00', '8.548,47.458,430') +
          point('2025-05-03T10:21:00+00:00', '8,47,2000') +
          '<Placemark><LineString><coordinates>5,5 6,6</coordinates></LineString></Placemark>',
      ),
    )
    expect(track).toMatchObject({
      coordinates: [
        [8.548, 47.458, 430],
        [8, 47, 2000],
      ],
      times: [1746267600, 1746267660],
    })
  })

  test('joins lines without repeated points', async () => {
    const line = (text: string) => `<Placemark><LineString><coordinates>${text}</coordinates></LineString></Placemark>`
    const { coordinates, times } = await read(
      kml(
        `${line('8,47,1\n 7,46,2')}${line('7,46,2 6,45')}<LinearRing><coordinates>0,0 1,1</coordinates></LinearRing>`,
      ),
    )
    expect([coordinates, times]).toEqual([
      [
        [8, 47, 1],
        [7, 46, 2],
        [6, 45],
      ],
      undefined,
    ])
  })
})

describe('the CSV reader', () => {
  test('reads the position column, feet and knots of Flightradar24', async () => {
    const track = await read(
      'Timestamp,UTC,Callsign,Position,Altitude,Speed,Direction\r\n' +
        '1746267600,2025-05-03T10:20:00Z,SWR2084,"47.458,8.548",0,0,231\r\n' +
        '1746267660,2025-05-03T10:21:00Z,SWR2084,"47.3,8.4",10000,250,230\r\n',
    )
    expect(track).toMatchObject({
      sourceFormat: 'csv',
      coordinates: [
        [8.548, 47.458, 0],
        [8.4, 47.3, 3048],
      ],
      times: [1746267600, 1746267660],
      groundSpeedKt: [0, 250],
      trackDeg: [231, 230],
    })
  })

  test('omits the times of FlightAware, which have no day', async () => {
    const track = await read(
      'Time (CEST),Latitude,Longitude,Course,kts,mph,feet,Rate,Reporting Facility\n' +
        'Sat 12:20:00 PM,47.458,8.548,231,140,161,1800,,FlightAware\n' +
        'Sat 12:21:00 PM,47.3,8.4,230,250,288,"10,000",,FlightAware\n' +
        'Sat 12:22:00 PM,47.2,8.3,230,250,288,12000,,FlightAware\n',
    )
    expect(track).toMatchObject({
      coordinates: [
        [8.548, 47.458, 548.6],
        [8.4, 47.3, 3048],
        [8.3, 47.2, 3657.6],
      ],
      groundSpeedKt: [140, 250, 250],
    })
    expect(track.times).toBeUndefined()
  })

  test.each([
    ['lat;lon;alt;time', '47;8;400;2025-05-03 10:20:00', '46;7;500;2025-05-03 10:21:00'],
    [
      'time,icao24,lat,lon,velocity,heading,baroaltitude',
      '1746267600,4b1,47,8,100,231,400',
      '1746267660,4b1,46,7,100,230,500',
    ],
    ['Longitude\tLatitude\tElevation\tUTC', '8\t47\t400\t2025-05-03T10:20:00Z', '7\t46\t500\t2025-05-03T10:21:00Z'],
  ])('reads the columns %s', async (...lines) => {
    expect(await read(`\uFEFF${lines.join('\n')}`)).toMatchObject({
      coordinates: [
        [8, 47, 400],
        [7, 46, 500],
      ],
      times: [1746267600, 1746267660],
    })
  })

  test('skips lines without a position', async () => {
    expect((await read('lat,lon\n1,2\n,\nx,y\n3,4\n')).coordinates).toEqual([
      [2, 1],
      [4, 3],
    ])
  })
})

describe('the readsb reader', () => {
  const trace = (rows: unknown[]) => JSON.stringify({ icao: '4b1', timestamp: 1746267600.5, trace: rows })

  test('returns positions, altitudes in metres, times, speeds and estimated points', async () => {
    const track = await read(
      trace([
        [0, 47.458, 8.548, 'ground', 20, 231, 0, null, null],
        [60.2, 47.3, 8.4, 10000, 250.5, 230, 1, 1200, { flight: 'SWR2084' }],
        [70, null, null, 10000, 250, 230, 0],
      ]),
    )
    expect(track).toEqual({
      sourceFormat: 'readsb',
      sourceName: 'file',
      coordinates: [
        [8.548, 47.458],
        [8.4, 47.3, 3048],
      ],
      times: [1746267600, 1746267660],
      groundSpeedKt: [20, 250.5],
      trackDeg: [231, 230],
      ground: [true, false],
      estimated: [false, true],
    })
  })

  test('returns the leg of the flight from a trace of a whole day', async () => {
    const leg = (start: number, ...places: [number, number][]) =>
      places.map(([latitude, longitude], index) => [
        start + index,
        latitude,
        longitude,
        1000,
        200,
        10,
        index === 0 ? 2 : 0,
      ])
    const day = [
      ...leg(0, [50, 8], [47.4, 8.5]),
      ...leg(100, [47.4, 8.5], [42, 0], [38.8, -9.1]),
      ...leg(200, [38.8, -9.1], [47.4, 8.5]),
    ]
    expect((await read(trace(day))).coordinates).toEqual([
      [8.5, 47.4, 304.8],
      [0, 42, 304.8],
      [-9.1, 38.8, 304.8],
    ])
  })
})

test('accepts the JSON of the API as a file', async () => {
  const body = {
    coordinates: [
      [1, 2],
      [3, 4],
    ],
    sourceFormat: 'gpx',
    sourceName: 'a.gpx',
    times: [1, 2],
  }
  expect(await read(JSON.stringify({ data: { flightId: 9, ...body, pointCount: 2 } }))).toEqual(body)
})

describe('a hostile or broken file', () => {
  const points = (count: number) => '<trkpt lat="1" lon="2"/>'.repeat(count)

  test.each([
    ['a document type', '<!DOCTYPE gpx [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><gpx><trk/></gpx>', /document type/],
    [
      'an outside entity',
      '<?xml version="1.0"?><!DOCTYPE x SYSTEM "file:///etc/passwd"><kml>&x;</kml>',
      /document type/,
    ],
    ['other XML', '<html><body/></html>', /neither GPX nor KML/],
    ['XML that breaks off', gpx(points(3)).slice(0, -4), /line 3: unclosed tag: gpx\.$/],
    ['crossed elements', '<gpx><trk><trkseg></trk></trkseg></gpx>', /unexpected close tag/],
    ['an element that does not end', '<gpx><trkpt lat="1" lon="2"', /unclosed tag: gpx/],
    ['deep elements', `<gpx>${'<a>'.repeat(5000)}`, /more than 100 deep/],
    [
      'many attributes',
      `<gpx ${Array.from({ length: 51 }, (_, index) => `a${index}=""`).join(' ')}/>`,
      /more than 50 attributes/,
    ],
    ['an entity that XML does not have', gpx('<name>&nbsp;</name>'), /undefined entity/],
    ['no points', gpx(''), /fewer than two points/],
    ['one point', gpx(points(1)), /fewer than two points/],
    ['too many points', gpx(points(100_001)), /more than 100000 points/],
    ['a point beyond the pole', gpx('<trkpt lat="91" lon="2"/>'), /invalid position/],
    ['a point without a place', gpx('<trkpt lat="NaN" lon="2"/>'), /no position/],
    ['a point of something else', kml('<gx:Track><gx:coord>a b c</gx:coord></gx:Track>'), /no position/],
    ['a table of something else', 'date,from,to\n2025-05-03,ZRH,LIS\n', /latitude and longitude/],
    ['one endless line', `lat,lon\n${'1'.repeat(10_000)}`, /too long/],
    ['broken JSON', '{"trace": [', /not valid JSON/],
    ['other JSON', '{"flights": []}', /not a track/],
    ['a list', '[1, 2]', /not a track/],
    ['a trace without a beginning', '{"trace": []}', /no start time/],
    ['a trace of something else', '{"timestamp": 1, "trace": [1]}', /invalid point/],
    [
      'an invalid track',
      '{"coordinates": [[1, 2], [300, 4]], "sourceFormat": "gpx"}',
      /not valid: Must be 180 or less/,
    ],
    [
      'an infinite speed after the conversion to knots',
      gpx(
        '<trk><trkpt lat="1" lon="2"><speed>1e308</speed></trkpt><trkpt lat="1" lon="3"><speed>1</speed></trkpt></trk>',
      ),
      /not valid: Must be a number of knots/,
    ],
    [
      'a time beyond the safe integers',
      '{"timestamp": 1, "trace": [[1e300, 1, 2], [1e300, 1, 3]]}',
      /not valid: Must be a whole number of Unix seconds/,
    ],
    ['bytes', Buffer.from([0, 1, 2, 3]), /not text/],
    ['a packed file', Buffer.from('PK\u0003\u0004'), /Unpack it first/],
    ['nothing', ' ', /fewer than two points/],
  ])('with %s is rejected with a message', async (_what, file, sentence) => {
    expect(await errorOf(file)).toMatch(sentence)
  })

  test('is read with an angle bracket in quotes', async () => {
    const points = '<trkpt lat="1" lon="2"/><trkpt lat="1" lon="3"/>'
    expect((await read(gpx(`<trk name="a>b'" other='c>d"'>${points}</trk>`))).coordinates).toHaveLength(2)
  })

  test('has long names truncated in errors', async () => {
    expect(await errorOf(`<gpx><${'a'.repeat(1000)}>`)).toBe(
      `The file is not valid XML, line 1: unclosed tag: ${'a'.repeat(86)}.`,
    )
  })

  test('is read with one long line of coordinates', async () => {
    const line = Array.from({ length: 100_000 }, (_, index) => `${index / 1000},-47.123456789012345,10000.123456`)
    const { coordinates } = await read(kml(`<LineString><coordinates>${line.join('\r\n')}</coordinates></LineString>`))
    expect(coordinates).toHaveLength(100_000)
  })

  test('is read without a long value of a point', async () => {
    const long = 'x'.repeat(1_000_000)
    const { coordinates } = await read(
      gpx(`<trk><trkpt lat="1" lon="2"><ele>${long}</ele></trkpt><trkpt lat="1" lon="3"><ele>5</ele></trkpt></trk>`),
    )
    expect(coordinates).toEqual([
      [2, 1],
      [3, 1, 5],
    ])
  })
})
