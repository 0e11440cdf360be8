import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { passText } from '../../support/boarding-pass.ts'
import { zip } from '../../support/zip.ts'

/** Codes are ICAO codes, which are unambiguous. Times are instants. Absent members are null or absent in the result. */
export interface ExpectedFlight {
  kind: 'boarding_pass' | 'wallet_pass' | 'reservation' | 'event'
  name?: string
  booking?: string
  date: string
  from: string
  to: string
  number?: string
  airline?: string
  departure?: string
  arrival?: string
  departureTerminal?: string
  departureGate?: string
  arrivalTerminal?: string
  seat?: string
  seatClass?: string
}

export interface Sample {
  name: string
  content: Buffer | string
  type: string
  expected: ExpectedFlight[]
}

/** The reference day of all samples. Day 123 is 3 May 2025. */
export const REFERENCE = '2025-05-03'

const file = (name: string) => readFileSync(join(import.meta.dirname, 'samples', name))

const TICKET = '014123456789011AC AC 1234567890123   020KY'
const SECURITY = 'GIWVC5EH7JNT684FVNJ91W2QA4DVN5J8K4F0L0GEQ3DF5TGBN8709HKT5D3DW3GBHFCVHMY7J5T6HFR41W2QA4DVN5J8K4F0L0GE'

const pass = (airline: string, text: string, ...legs: Omit<ExpectedFlight, 'kind'>[]): Sample => ({
  name: `boarding pass of ${airline}`,
  content: text,
  type: 'text/plain',
  expected: legs.map((leg) => ({ kind: 'boarding_pass', ...leg })),
})

const mira = { name: 'SAMPLE/MIRA MS', booking: 'QX7B2M' }
const economy = { seat: '12A', seatClass: 'economy' }

export const boardingPasses: Sample[] = [
  pass('Swiss', 'M1SAMPLE/MIRA MS      EQX7B2M ZRHLHRLX 0316 123Y012A0042 100', {
    ...{ ...mira, ...economy, date: '2025-05-03', from: 'LSZH', to: 'EGLL', number: 'LX316', airline: 'SWR' },
  }),
  pass('Lufthansa', 'M1SAMPLE/MIRA MS      ELH9K3P FRAJFKLH 0400 121C023K0011 100', {
    ...{ name: 'SAMPLE/MIRA MS', booking: 'LH9K3P', date: '2025-05-01', from: 'EDDF', to: 'KJFK', number: 'LH400' },
    ...{ airline: 'DLH', seat: '23K', seatClass: 'business' },
  }),
  pass('Air Canada with security data', `M1SAMPLE/LUC          EABC123 YULFRAAC 0834 326J001A0025 100^164${SECURITY}`, {
    ...{ name: 'SAMPLE/LUC', booking: 'ABC123', date: '2024-11-21', from: 'CYUL', to: 'EDDF', number: 'AC834' },
    ...{ airline: 'ACA', seat: '1A', seatClass: 'business' },
  }),
  pass(
    'Air Canada and Lufthansa with all conditional fields',
    `M2SAMPLE/LUC          EABC123 YULFRAAC 0834 326J001A0025 14D>6181WW6225BAC 00141234560032A0141234567890 1AC AC 1234567890123    20KYLX58ZDEF456 FRAGVALH 3664 327C012C0002 12E2A0140987654321 1AC AC 1234567890123    2PCNWQ^164${SECURITY}`,
    {
      ...{ name: 'SAMPLE/LUC', booking: 'ABC123', date: '2016-11-21', from: 'CYUL', to: 'EDDF', number: 'AC834' },
      ...{ airline: 'ACA', seat: '1A', seatClass: 'business' },
    },
    {
      ...{ name: 'SAMPLE/LUC', booking: 'DEF456', date: '2016-11-22', from: 'EDDF', to: 'LSGG', number: 'LH3664' },
      ...{ airline: 'DLH', seat: '12C', seatClass: 'business' },
    },
  ),
  pass(
    'British Airways with a day of issue',
    passText({
      name: 'EXAMPLE/TOM',
      issue: '5120',
      legs: [{ route: 'LHRSINBA', number: '0011', day: '123', ticket: TICKET }],
    }),
    {
      ...{ name: 'EXAMPLE/TOM', booking: 'QX7B2M', ...economy, date: '2025-05-03', from: 'EGLL', to: 'WSSS' },
      ...{ number: 'BA11', airline: 'BAW' },
    },
  ),
  pass(
    'Air France after New Year',
    passText({
      name: 'INVENTED/CLAIRE',
      issue: '4360',
      legs: [{ route: 'CDGJFKAF', number: '0022', day: '004', cabin: 'W' }],
    }),
    {
      ...{ name: 'INVENTED/CLAIRE', booking: 'QX7B2M', date: '2025-01-04', from: 'LFPG', to: 'KJFK', number: 'AF22' },
      ...{ airline: 'AFR', seat: '12A', seatClass: 'economy+' },
    },
  ),
  pass(
    'KLM with four legs over New Year',
    passText({
      name: 'INVENTED/PIET',
      legs: [
        { route: 'AMSLHRKL', number: '1007', day: '364', seat: '001A', cabin: 'J' },
        { route: 'LHRAMSKL', number: '1010', day: '366', seat: '033F' },
        { route: 'AMSCDGKL', number: '1227', day: '001', seat: 'INF ', ticket: TICKET, airlineUse: 'KL FREE TEXT ' },
        { route: 'CDGAMSKL', number: '1230A', day: '003', booking: 'PART4', cabin: 'R' },
      ],
      security: SECURITY,
    }),
    ...[
      { date: '2024-12-29', from: 'EHAM', to: 'EGLL', number: 'KL1007', seat: '1A', seatClass: 'business' },
      { date: '2024-12-31', from: 'EGLL', to: 'EHAM', number: 'KL1010', seat: '33F', seatClass: 'economy' },
      { date: '2025-01-01', from: 'EHAM', to: 'LFPG', number: 'KL1227', seatClass: 'economy' },
      { date: '2025-01-03', from: 'LFPG', to: 'EHAM', number: 'KL1230A', seat: '12A', booking: 'PART4' },
    ].map((leg) => ({ name: 'INVENTED/PIET', booking: 'QX7B2M', airline: 'KLM', ...leg })),
  ),
  pass(
    'SAS with three legs',
    passText({
      name: 'INVENTED/OLE MR',
      issue: '5100',
      legs: [
        { route: 'CPHARNSK', number: '1416', day: '110' },
        { route: 'ARNOSLSK', number: '0486', day: '110', seat: '004C' },
        { route: 'OSLCPHSK', number: '0459', day: '112', seat: '005D' },
      ],
    }),
    ...[
      { date: '2025-04-20', from: 'EKCH', to: 'ESSA', number: 'SK1416', seat: '12A' },
      { date: '2025-04-20', from: 'ESSA', to: 'ENGM', number: 'SK486', seat: '4C' },
      { date: '2025-04-22', from: 'ENGM', to: 'EKCH', number: 'SK459', seat: '5D' },
    ].map((leg) => ({ name: 'INVENTED/OLE MR', booking: 'QX7B2M', airline: 'SAS', seatClass: 'economy', ...leg })),
  ),
  ...(
    [
      ['easyJet', 'U2 ', '8471 ', 'LISGVA', 'LPPT', 'LSGG', 'U28471', 'EZY'],
      ['Ryanair', 'FR ', '1926 ', 'DUBFAO', 'EIDW', 'LPFR', 'FR1926', 'RYR'],
      ['Wizz Air', 'W6 ', '2201 ', 'BUDLTN', 'LHBP', 'EGGW', 'W62201', 'WZZ'],
      ['TAP', 'TP ', '0929 ', 'ZRHLIS', 'LSZH', 'LPPT', 'TP929', 'TAP'],
      ['Iberia', 'IB ', '6250 ', 'MADJFK', 'LEMD', 'KJFK', 'IB6250', 'IBE'],
      ['Finnair', 'AY ', '0081 ', 'HELBKK', 'EFHK', 'VTBS', 'AY81', 'FIN'],
      ['Austrian by ICAO code', 'AUA', '0561 ', 'VIEZRH', 'LOWW', 'LSZH', 'AUA561', 'AUA'],
      ['Brussels Airlines', 'SN ', ' 2719', 'BRUGVA', 'EBBR', 'LSGG', 'SN2719', 'BEL'],
      ['Aer Lingus', 'EI ', '0105 ', 'DUBJFK', 'EIDW', 'KJFK', 'EI105', 'EIN'],
      ['Delta', 'DL ', '0046 ', 'JFKCPH', 'KJFK', 'EKCH', 'DL46', 'DAL'],
      ['United', 'UA ', '0110 ', 'EWRAMS', 'KEWR', 'EHAM', 'UA110', 'UAL'],
      ['American', 'AA ', '0106 ', 'JFKLHR', 'KJFK', 'EGLL', 'AA106', 'AAL'],
      ['ANA', 'NH ', '0105 ', 'HNDLAX', 'RJTT', 'KLAX', 'NH105', 'ANA'],
      ['JAL', 'JL ', '0044 ', 'LHRHND', 'EGLL', 'RJTT', 'JL44', 'JAL'],
      ['Singapore Airlines', 'SQ ', '0346 ', 'SINZRH', 'WSSS', 'LSZH', 'SQ346', 'SIA'],
      ['Emirates', 'EK ', '0085 ', 'DXBZRH', 'OMDB', 'LSZH', 'EK85', 'UAE'],
      ['Qantas', 'QF ', '0001 ', 'SINLHR', 'WSSS', 'EGLL', 'QF1', 'QFA'],
      ['Air New Zealand', 'NZ ', '0006 ', 'AKLLAX', 'NZAA', 'KLAX', 'NZ6', 'ANZ'],
      ['Turkish Airlines', 'TK ', '1908 ', 'ZRHIST', 'LSZH', 'LTFM', 'TK1908', 'THY'],
      ['IndiGo', '6E ', '0001 ', 'DELBOM', 'VIDP', 'VABB', '6E1', 'IGO'],
    ] as const
  ).map(([airline, carrier, number, route, from, to, flight, icao]) =>
    pass(airline, `M1SAMPLE/MIRA MS      EQX7B2M ${route}${carrier}${number}123Y012A0042 100`, {
      ...{ ...mira, ...economy, date: '2025-05-03', from, to, number: flight, airline: icao },
    }),
  ),
  {
    name: 'several passes, one per line',
    content:
      'M1SAMPLE/MIRA MS      EQX7B2M ZRHLHRLX 0316 123Y012A0042 100\r\n\r\nM1SAMPLE/MIRA MS      EQX7B2M LHRZRHLX 0317 126Y014C0042 100\r\n',
    type: 'text/plain; charset=utf-8',
    expected: [
      { ...mira, ...economy, date: '2025-05-03', from: 'LSZH', to: 'EGLL', number: 'LX316' },
      { ...mira, seat: '14C', seatClass: 'economy', date: '2025-05-06', from: 'EGLL', to: 'LSZH', number: 'LX317' },
    ].map((leg) => ({ kind: 'boarding_pass', airline: 'SWR', ...leg })),
  },
]

const PKPASS = 'application/vnd.apple.pkpass'
const walletFile = (pass: unknown, stored?: true) =>
  zip({
    'manifest.json': { content: '{"pass.json":"0"}' },
    'pass.json': { content: JSON.stringify(pass), ...(stored && { stored }) },
    'icon.png': { content: Buffer.from([0x89, 0x50]), stored: true },
  })

const walletPasses: Sample[] = [
  {
    name: 'Wallet pass with a barcode and visible fields',
    type: PKPASS,
    content: walletFile({
      formatVersion: 1,
      relevantDate: '2023-08-14T09:35+02:00',
      barcode: {
        message: 'M1SAMPLE/MIRA         EQX7B2M ZRHLHRLX 0316 226Y012A0042 100',
        format: 'PKBarcodeFormatAztec',
      },
      boardingPass: {
        transitType: 'PKTransitTypeAir',
        headerFields: [{ key: 'gate', label: 'GATE', value: 'A84' }],
        primaryFields: [
          { key: 'depart', label: 'ZURICH', value: 'ZRH' },
          { key: 'arrive', label: 'LONDON', value: 'LHR' },
        ],
        secondaryFields: [{ key: 'passenger', label: 'PASSENGER', value: 'Mira Sample' }],
        auxiliaryFields: [
          { key: 'class', label: 'CLASS', value: 'Economy' },
          { key: 'terminal', label: 'TERMINAL', value: '1' },
        ],
      },
    }),
    expected: [
      {
        ...{ kind: 'wallet_pass', name: 'Mira Sample', booking: 'QX7B2M', ...economy, date: '2023-08-14' },
        ...{ from: 'LSZH', to: 'EGLL', number: 'LX316', airline: 'SWR', departureGate: 'A84', departureTerminal: '1' },
      },
    ],
  },
  {
    name: 'Wallet pass with semantic tags and no boarding pass barcode',
    type: PKPASS,
    content: walletFile(
      {
        formatVersion: 1,
        barcodes: [{ message: 'https://airline.example/pass/1', format: 'PKBarcodeFormatQR' }],
        boardingPass: { transitType: 'PKTransitTypeAir', primaryFields: [] },
        semantics: {
          airlineCode: 'LH',
          flightNumber: 400,
          departureAirportCode: 'FRA',
          departureAirportName: 'Frankfurt am Main',
          departureGate: 'Z69',
          departureTerminal: '1',
          destinationAirportCode: 'JFK',
          destinationTerminal: '1',
          originalDepartureDate: '2025-06-10T10:35:00+02:00',
          currentDepartureDate: '2025-06-10T11:20:00+02:00',
          originalArrivalDate: '2025-06-10T13:05:00-04:00',
          passengerName: { givenName: 'Mira', familyName: 'Sample' },
          confirmationNumber: 'LH9K3P',
          seats: [{ seatRow: '23', seatNumber: 'K', seatType: 'Business' }],
        },
      },
      true,
    ),
    expected: [
      {
        ...{
          kind: 'wallet_pass',
          name: 'Mira Sample',
          booking: 'LH9K3P',
          date: '2025-06-10',
          from: 'EDDF',
          to: 'KJFK',
        },
        ...{
          number: 'LH400',
          airline: 'DLH',
          departure: '2025-06-10T08:35:00.000Z',
          arrival: '2025-06-10T17:05:00.000Z',
        },
        ...{ departureGate: 'Z69', departureTerminal: '1', arrivalTerminal: '1', seat: '23K', seatClass: 'business' },
      },
    ],
  },
  {
    name: 'Wallet pass with two legs, sent without a useful content type',
    type: 'application/x-www-form-urlencoded',
    content: walletFile({
      relevantDate: '2025-05-03T06:00Z',
      barcodes: [
        {
          message: passText({
            name: 'SAMPLE/MIRA',
            legs: [
              { route: 'ZRHFRALH', number: '1183', day: '123' },
              { route: 'FRASINLH', number: '0778', day: '123', seat: '041H' },
            ],
          }),
        },
      ],
      boardingPass: { headerFields: [{ key: 'g', label: 'Gate', value: 'B3' }] },
    }),
    expected: [
      { from: 'LSZH', to: 'EDDF', number: 'LH1183', seat: '12A', departureGate: 'B3' },
      { from: 'EDDF', to: 'WSSS', number: 'LH778', seat: '41H' },
    ].map((leg) => ({
      ...{ kind: 'wallet_pass', name: 'SAMPLE/MIRA', booking: 'QX7B2M', date: '2025-05-03', airline: 'DLH' },
      ...{ seatClass: 'economy', ...leg },
    })),
  },
]

const mail = (name: string, ...expected: Omit<ExpectedFlight, 'kind'>[]): Sample => ({
  name: `e-mail ${name}`,
  type: 'message/rfc822',
  content: file(`${name}.eml`),
  expected: expected.map((flight) => ({ kind: 'reservation', ...flight })),
})

export const mails: Sample[] = [
  mail('swiss', {
    ...{ name: 'Mira Sample', booking: 'QX7B2M', date: '2025-05-03', from: 'LSZH', to: 'LPPT', number: 'LX2084' },
    ...{ airline: 'SWR', departure: '2025-05-03T10:20:00.000Z', arrival: '2025-05-03T13:10:00.000Z' },
    ...{ departureTerminal: '1', arrivalTerminal: '1', seat: '7A', seatClass: 'economy' },
  }),
  mail(
    'lufthansa',
    ...[
      { name: 'Mira Sample', seat: '23K' },
      { name: 'Noor Example', seat: '23H' },
    ].map((who) => ({
      ...{ ...who, booking: 'LH9K3P', date: '2025-06-10', from: 'EDDF', to: 'KJFK', number: 'LH400', airline: 'DLH' },
      ...{ departure: '2025-06-10T08:35:00.000Z', arrival: '2025-06-10T17:05:00.000Z' },
    })),
  ),
  mail(
    'british-airways',
    {
      ...{ name: 'Mr Tom Sample', booking: 'BA7TT2', date: '2025-07-01', from: 'LSZH', to: 'EGLL', number: 'BA709' },
      ...{ airline: 'BAW', departure: '2025-07-01T05:25:00.000Z', arrival: '2025-07-01T07:15:00.000Z' },
      ...{ arrivalTerminal: '5', seatClass: 'business' },
    },
    {
      ...{ name: 'Mr Tom Sample', booking: 'BA7TT2', date: '2025-07-05', from: 'EGLL', to: 'LSZH', number: 'BA716' },
      ...{ airline: 'BAW', departure: '2025-07-05T18:45:00.000Z', arrival: '2025-07-05T20:30:00.000Z' },
      ...{ departureTerminal: '5', seatClass: 'business' },
    },
  ),
  mail('klm', {
    ...{ name: 'Mira Sample', booking: 'KLM2XY', date: '2025-08-09', from: 'EHAM', to: 'LEBL', number: 'KL1665' },
    ...{ airline: 'KLM', departure: '2025-08-09T07:30:00.000Z', arrival: '2025-08-09T09:45:00.000Z' },
  }),
  mail('easyjet', {
    ...{ name: 'Jürgen Müller', booking: 'K1ABCD', date: '2025-05-07', from: 'LPPT', to: 'LSGG', number: 'U28471' },
    ...{ airline: 'EZY', departure: '2025-05-07T22:30:00.000Z', arrival: '2025-05-08T01:05:00.000Z' },
  }),
  mail('united', {
    ...{ name: 'Eva Invented', booking: 'RXJ34P', date: '2025-09-04', from: 'KEWR', to: 'EHAM', number: 'UA110' },
    ...{ airline: 'UAL', departure: '2025-09-05T00:15:00.000Z', arrival: '2025-09-05T07:40:00.000Z' },
    ...{ seat: '31L', seatClass: 'economy+' },
  }),
  mail(
    'agency',
    {
      ...{ name: 'Otto Sample', booking: 'AGY-551', date: '2025-10-01', from: 'LSZH', to: 'LPPT', number: 'TP929' },
      ...{ airline: 'TAP', departure: '2025-10-01T17:10:00.000Z', arrival: '2025-10-01T20:05:00.000Z' },
    },
    {
      ...{ name: 'Otto Sample', booking: 'TPX9QZ', date: '2025-10-03', from: 'LPPT', to: 'KEWR', number: 'TP203' },
      ...{ airline: 'TAP', departure: '2025-10-03T09:00:00.000Z', arrival: '2025-10-03T17:15:00.000Z' },
    },
  ),
  mail('ryanair', {
    ...{ name: 'Aoife Invented', booking: 'FRQ2LM', date: '2025-06-11', from: 'EIDW', to: 'LPFR', number: 'FR1926' },
    ...{ airline: 'RYR', departure: '2025-06-11T05:15:00.000Z', arrival: '2025-06-11T08:05:00.000Z', seat: '18C' },
  }),
  {
    ...mail('air-france'),
    expected: [
      {
        ...{ kind: 'wallet_pass', name: 'ROY/CLAIRE', booking: 'AF4QWE', date: '2025-07-19', from: 'LFPG', to: 'RJAA' },
        ...{ number: 'AF276', airline: 'AFR', departureGate: 'M28', departureTerminal: '2E' },
        ...{ seat: '4K', seatClass: 'business' },
      },
    ],
  },
  mail('singapore-airlines', {
    ...{ name: 'Zoë Sample', booking: 'SQ5M2N', date: '2025-11-02', from: 'WSSS', to: 'LSZH', number: 'SQ346' },
    ...{ airline: 'SIA', departure: '2025-11-01T17:25:00.000Z', arrival: '2025-11-02T07:10:00.000Z' },
    ...{ departureTerminal: '3', seatClass: 'economy+' },
  }),
  mail('delta', {
    ...{ name: 'Ida Invented', booking: 'DLH7RT', date: '2025-05-20', from: 'KJFK', to: 'EKCH', number: 'DL46' },
    ...{ airline: 'DAL' },
  }),
]

const calendar = (name: string, ...expected: Omit<ExpectedFlight, 'kind'>[]): Sample => ({
  name: `calendar ${name}`,
  type: 'text/calendar',
  content: file(`${name}.ics`),
  expected: expected.map((flight) => ({ kind: 'event', ...flight })),
})

export const calendars: Sample[] = [
  calendar(
    'airline-invitation',
    {
      ...{ booking: 'QX7B2M', date: '2025-05-12', from: 'LSZH', to: 'EGLL', number: 'LX316', airline: 'SWR' },
      ...{ departure: '2025-05-12T05:15:00.000Z', arrival: '2025-05-12T07:05:00.000Z', departureTerminal: '1' },
      ...{ departureGate: 'A84', arrivalTerminal: '2', seat: '12F', seatClass: 'economy' },
    },
    // Without a zone, in the time of each airport.
    {
      ...{ date: '2025-05-16', from: 'EGLL', to: 'LSZH', number: 'LX333', airline: 'SWR' },
      ...{ departure: '2025-05-16T16:00:00.000Z', arrival: '2025-05-16T17:45:00.000Z' },
    },
  ),
  calendar(
    'tripit',
    {
      ...{ booking: 'QX7B2M', date: '2025-05-03', from: 'LSZH', to: 'LPPT', number: 'LX2084', airline: 'SWR' },
      ...{ departure: '2025-05-03T10:20:00.000Z', arrival: '2025-05-03T13:10:00.000Z' },
    },
    {
      ...{ date: '2025-05-07', from: 'LPPT', to: 'LSZH' },
      ...{ departure: '2025-05-07T18:30:00.000Z', arrival: '2025-05-07T21:15:00.000Z' },
    },
  ),
  // The destination has only a name; the table of routes has its code.
  calendar('google', {
    ...{ date: '2025-05-12', from: 'LSZH', to: 'EGLL', number: 'LX316', airline: 'SWR' },
    ...{ departure: '2025-05-12T05:15:00.000Z', arrival: '2025-05-12T07:05:00.000Z' },
  }),
  calendar(
    'paxlog',
    {
      ...{ date: '2025-05-03', from: 'LSZH', to: 'LPPT', number: 'LX2084', airline: 'SWR' },
      ...{ departure: '2025-05-03T10:20:00.000Z', arrival: '2025-05-03T13:10:00.000Z', departureTerminal: '1' },
      ...{ departureGate: 'A71', arrivalTerminal: '1', seat: '12A', seatClass: 'economy' },
    },
    { date: '2010-07-04', from: 'EGLL', to: 'KJFK' },
  ),
]

const flight = {
  '@type': 'Flight',
  flightNumber: 'LX14',
  airline: { '@type': 'Airline', iataCode: 'LX' },
  departureAirport: { '@type': 'Airport', iataCode: 'ZRH' },
  arrivalAirport: { '@type': 'Airport', iataCode: 'JFK' },
  departureTime: '2025-05-03T13:05:00+02:00',
}
const newYork: ExpectedFlight = {
  ...{ kind: 'reservation', date: '2025-05-03', from: 'LSZH', to: 'KJFK', number: 'LX14', airline: 'SWR' },
  departure: '2025-05-03T11:05:00.000Z',
}

const pages: Sample[] = [
  {
    name: 'web page with a flight',
    type: 'text/html; charset=utf-8',
    content: `<html><SCRIPT data-x='1' TYPE='application/ld+json; charset=utf-8'>${JSON.stringify(flight)}</SCRIPT></html>`,
    expected: [newYork],
  },
  { name: 'JSON-LD', type: 'application/ld+json', content: JSON.stringify([[flight]]), expected: [newYork] },
  {
    name: 'JSON with a flight number alone, whose airports are in the table of routes',
    type: 'application/json',
    content: JSON.stringify({ '@type': 'Flight', flightNumber: 'LX 14', departureTime: '2025-05-03T13:05' }),
    expected: [newYork],
  },
  {
    name: 'a code of the day of the flight',
    type: 'application/json',
    content: JSON.stringify({
      ...flight,
      flightNumber: 'AZ573',
      airline: { iataCode: 'AZ' },
      arrivalAirport: { iataCode: 'IST' },
      departureTime: '2015-05-03T13:05',
    }),
    expected: [
      {
        ...{ kind: 'reservation', date: '2015-05-03', from: 'LSZH', to: 'LTBA', number: 'AZ573', airline: 'AZA' },
        departure: '2015-05-03T11:05:00.000Z',
      },
    ],
  },
]

export const samples: Sample[] = [...boardingPasses, ...walletPasses, ...mails, ...calendars, ...pages]
