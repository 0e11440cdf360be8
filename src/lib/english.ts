// Node's tables of languages take 7 MB once they are used: with the first page that needs them, not with every start.
let numbers: Intl.NumberFormat | undefined
let regions: Intl.DisplayNames | undefined

/** 12,345 */
export function inDigits(value: number): string {
  numbers ??= new Intl.NumberFormat('en')
  return numbers.format(value)
}

/** 1 flight, 12,345 flights */
export const several = (count: number, one: string): string => `${inDigits(count)} ${count === 1 ? one : `${one}s`}`

export function countryName(code: string): string | undefined {
  regions ??= new Intl.DisplayNames('en', { type: 'region' })
  return regions.of(code)
}

/** By the codes of the contract. */
export const continentNames: Readonly<Record<string, string>> = {
  AF: 'Africa',
  AN: 'Antarctica',
  AS: 'Asia',
  EU: 'Europe',
  NA: 'North America',
  OC: 'Oceania',
  SA: 'South America',
}
