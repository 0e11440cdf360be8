/** Manufacturers whose names have several words. */
const MAKERS = [
  'Airbus Helicopters',
  'British Aerospace',
  'De Havilland Canada',
  'De Havilland',
  'Fairchild Dornier',
  'Handley Page',
  'Hawker Siddeley',
  'Lockheed Martin',
  'McDonnell Douglas',
  'North American',
  'Northrop Grumman',
  'Sud Aviation',
]

/** Families whose types do not share a name. */
const FAMILIES: readonly [RegExp, string][] = [
  [/^A3(18|19|20|21)/, 'A320'],
  [/^CRJ/, 'CRJ'],
  [/^E1[79][05]/, 'E-Jet'],
  [/^ERJ/, 'ERJ'],
]

interface AircraftFamily {
  maker: string
  family: string
  model: string
}

/** Splits the name of a type: `Boeing 737-800` is a 737 by Boeing. */
export function aircraftFamily(name: string): AircraftFamily {
  const maker = MAKERS.find((each) => name.startsWith(`${each} `)) ?? name.split(' ', 1)[0]!
  const model = name.slice(maker.length + 1) || name
  const family = FAMILIES.find(([pattern]) => pattern.test(model))?.[1]
  return { maker, family: family ?? /^\p{L}*[ -]?\d+|^\S+/u.exec(model)![0], model }
}
