/** The first accepted language that is available, by quality and then by order. */
export function acceptedOf<Language extends string>(
  available: readonly Language[],
  acceptLanguage = '',
): Language | undefined {
  const ranges = acceptLanguage
    .slice(0, 500)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const quality = parameters.find((each) => each.startsWith('q='))
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  for (const { tag } of ranges) {
    const found = available.find((language) => tag === language || tag.startsWith(`${language}-`))
    if (found) return found
  }
  return undefined
}
