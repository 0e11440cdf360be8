import type { Random } from './random.ts'

/** Values that often cause bugs. */
export const strange: unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  1,
  -1,
  1.5,
  1e21,
  -1e308,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  5e-324,
  '',
  ' ',
  '0',
  '1',
  'a',
  'null',
  'true',
  'NaN',
  '2025-05-03',
  '2025-05-03T10:00Z',
  '9999-12-31T23:59:59.999-23:59',
  '0001-01-01T00:00:00+23:59',
  'day',
  'window',
  'text',
  'select',
  'gpx',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\u202eabc',
  '🛫',
  'e\u0301',
  'ß',
  "' or 1=1 --",
  '%',
  '_',
  '"',
  '\\',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(501),
  '🛫'.repeat(10_001),
  '(',
  '(a+)+$',
  '[[:alpha:]]',
  '\\p{L}',
  [],
  [[]],
  [null],
  [1, 2],
  [
    [1, 2],
    [3, 4],
  ],
  ['a', 'a'],
  Array(600).fill({}),
  Array(200).fill('x'),
  [[[[[[]]]]]],
  {},
  { a: 1 },
  { constructor: 1 },
  { length: 2, 0: 1, 1: 2 },
  { toJSON: 'x' },
  { id: 1 },
  { value: {} },
  { regex: '(' },
  { min: 2, max: 1 },
]

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** The paths of all nested values. */
function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [
    path,
    ...Object.entries(value).flatMap(([key, child]) =>
      pathsOf(child, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ]
}

/** The JSON of a valid value with one to three random changes. */
export function mutated(good: unknown, { pick, below }: Random): string {
  const root = { body: structuredClone(good) as Json }
  for (let times = 1 + below(3); times > 0; times--) {
    const path = ['body', ...pick(pathsOf(root.body))]
    let parent: Record<string | number, unknown> = root
    for (const key of path.slice(0, -1)) parent = (parent[key] ?? {}) as typeof parent
    const last = path.at(-1)!
    const how = below(10)
    if (how === 0 && path.length > 1) delete parent[last]
    // A numeric key would extend a list to that length.
    else if (how === 1 && Array.isArray(parent[last])) parent[last].push(structuredClone(pick(strange)))
    else if (how === 1 && typeof parent[last] === 'object' && parent[last] !== null)
      (parent[last] as Record<string, unknown>)[String(pick(strange))] = structuredClone(pick(strange))
    else parent[last] = structuredClone(pick(strange))
  }
  return JSON.stringify(root.body) ?? 'null'
}
