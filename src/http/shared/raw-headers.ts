/** Every value of a header: Node keeps only the first of two, and the raw list shows them all. The name is in lower case. */
export function rawValues(rawHeaders: readonly string[], name: string): string[] {
  const found: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const other = rawHeaders[index]!
    if (other.length === name.length && other.toLowerCase() === name) found.push(rawHeaders[index + 1]!)
  }
  return found
}
