export type ResourceName = 'v1' | 'mcp'

export function resourceTable(baseUrl: string) {
  const urls: Record<ResourceName, string> = { v1: `${baseUrl}/api/v1`, mcp: `${baseUrl}/api/mcp` }

  /** Scheme and host are case-insensitive (contract 7.4, step 5). */
  function findByUrl(text: string): ResourceName | undefined {
    const [, origin = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)(.*)$/is.exec(text) ?? []
    const canonical = origin.toLowerCase() + rest
    return (Object.keys(urls) as ResourceName[]).find((name) => urls[name] === canonical)
  }

  return { urls, findByUrl }
}

export type ResourceTable = ReturnType<typeof resourceTable>
