// Created on first use: the locale data of Node takes 7 MB.
let numbers: Intl.NumberFormat | undefined
let regions: Intl.DisplayNames | undefined

function formatNumber(value: number): string {
  numbers ??= new Intl.NumberFormat('en')
  return numbers.format(value)
}

export const pluralize = (count: number, one: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : `${one}s`}`

export function countryName(code: string): string | undefined {
  regions ??= new Intl.DisplayNames('en', { type: 'region' })
  return regions.of(code)
}
