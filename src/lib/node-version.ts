/** The native packages need Node-API 10 and crash without it. */
const MIN_MINOR: Record<number, number> = { 22: 14, 23: 6 }
const MIN_MAJOR = 22

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major >= MIN_MAJOR && minor >= (MIN_MINOR[major] ?? 0)
}

/** Must run before any native module is imported. */
export function requireNode(version = process.versions.node): void {
  if (isNewEnough(version)) return
  process.stderr.write(
    `Paxlog needs Node 22.14, 23.6 or newer, but this is Node ${version}. Install a newer Node. In a copy of the sources, "npm start" uses the Node that "npm ci" installed.\n`,
  )
  process.exit(1)
}
