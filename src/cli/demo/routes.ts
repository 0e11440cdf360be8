/** A flight that is in a timetable: who flies it, with what, and when by the clock of the origin. */
export interface Service {
  from: string
  to: string
  /** ICAO code. */
  airline: string
  number: string
  /** ICAO type designator. */
  aircraft: string
  clock: string
}

const TIMETABLE = `
CPH ZRH SWR LX1273 A320 18:50
CPH ZRH SAS SK601 A20N 07:05
CPH ZRH SWR LX1275 BCS3 19:40
ZRH CPH SWR LX1272 BCS3 17:15
ZRH CPH SAS SK602 A20N 19:35
CPH LHR SAS SK501 A20N 08:10
CPH LHR BAW BA811 A320 07:35
LHR CPH SAS SK506 A20N 17:50
LHR CPH BAW BA820 A319 18:25
CPH ARN SAS SK1418 A319 07:30
ARN CPH SAS SK1429 A320 18:15
CPH OSL SAS SK1454 B738 08:05
CPH OSL NOZ DY937 B738 09:20
OSL CPH SAS SK1473 B737 18:40
OSL CPH NOZ DY938 B738 20:10
CPH AMS KLM KL1124 B738 06:15
AMS CPH KLM KL1133 E190 20:35
CPH CDG AFR AF1351 A320 10:15
CDG CPH AFR AF1750 A318 19:25
CPH HEL FIN AY952 A321 11:30
HEL CPH FIN AY955 A320 19:45
HEL NRT FIN AY73 A359 17:25
NRT HEL FIN AY74 A359 11:05
CPH EWR SAS SK909 A333 12:20
EWR CPH SAS SK910 A333 17:45
CPH KEF ICE FI205 B752 14:10
KEF CPH ICE FI204 B38M 07:40
CPH LIS TAP TP753 A320 12:55
LIS CPH TAP TP752 A21N 07:25
LIS FNC TAP TP1685 A320 18:05
FNC LIS TAP TP1682 A319 10:50
AMS CPT KLM KL597 B77W 10:15
CPT AMS KLM KL598 B77W 23:15
CPH FAE FLI RC451 A319 12:30
FAE CPH FLI RC450 A319 08:20
CPH ATH AEE A3751 A321 12:05
ATH CPH AEE A3750 A320 08:15
OSL LYR SAS SK4414 B738 11:50
LYR OSL SAS SK4425 B738 14:45
CPH DXB UAE EK152 B77W 15:05
DXB LAX UAE EK215 A388 08:20
LAX AKL ANZ NZ5 B789 22:30
AKL SYD QFA QF144 B738 09:15
SYD SIN SIA SQ222 A388 15:40
SIN CPH SIA SQ352 A359 23:55
CPH FRA DLH LH825 A321 09:40
FRA YVR DLH LH492 A346 13:25
YVR FRA DLH LH493 A346 15:35
FRA CPH DLH LH834 A20N 16:50
ZRH SFO SWR LX38 B77W 13:10
SFO HNL UAL UA1175 B772 11:45
HNL SFO UAL UA1174 B772 21:55
SFO ZRH SWR LX39 B77W 19:35
CPH DUB EIN EI631 A320 11:05
DUB CPH EIN EI630 A320 06:40
ZRH GRU SWR LX92 B77W 22:40
GRU ZRH SWR LX93 B77W 19:05
ZRH LHR SWR LX316 RJ1H 09:00
LHR ZRH SWR LX317 RJ1H 11:50
ZRH JFK SWR LX14 A333 13:10
CPH AGP SAS SK583 MD82 09:30
AGP CPH SAS SK584 MD82 15:10
CPH BKK THA TG951 B744 14:25
BKK CPH THA TG950 B744 00:50
`

const services: Service[] = TIMETABLE.trim()
  .split('\n')
  .map((line) => {
    const [from, to, airline, number, aircraft, clock] = line.split(' ') as [
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    return { from, to, airline, number, aircraft, clock }
  })

/** Every service between two airports, in this direction. */
export const servicesBetween = (from: string, to: string): Service[] =>
  services.filter((service) => service.from === from && service.to === to)

/** How registrations begin in the country of the airline. */
export const registrationPrefix: Record<string, string> = {
  SWR: 'HB-J',
  SAS: 'SE-R',
  BAW: 'G-EU',
  KLM: 'PH-B',
  AFR: 'F-GK',
  FIN: 'OH-L',
  ICE: 'TF-F',
  TAP: 'CS-T',
  FLI: 'OY-R',
  AEE: 'SX-D',
  UAE: 'A6-E',
  ANZ: 'ZK-N',
  SIA: '9V-S',
  DLH: 'D-AI',
  EIN: 'EI-D',
}

/** Where passengers of all airlines above leave from, at airports with terminals. */
export const terminals: Record<string, string> = {
  CPH: '3',
  ARN: '5',
  CDG: '2',
  LIS: '1',
  DXB: '3',
  FRA: '1',
  HEL: '2',
}

/** Economy, on these, is wider than one aisle can serve. */
export const longHaul: ReadonlySet<string> = new Set('A333 A359 A388 A346 B77W B772 B789 B744'.split(' '))
