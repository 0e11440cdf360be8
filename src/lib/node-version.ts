/** The native packages need Node-API 10: on a Node without it they crash instead of failing. */
const LEAST_MINOR: Record<number, number> = { 22: 14, 23: 6 }
const OLDEST_MAJOR = 22

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major >= OLDEST_MAJOR && minor >= (LEAST_MINOR[major] ?? 0)
}

/** Runs before any native module is imported. */
export function requireNode(version = process.versions.node): void {
  if (isNewEnough(version)) return
  process.stderr.write(
    `Paxlog needs Node 22.14 or newer (of Node 23, 23.6), and this is Node ${version}: install a newer Node, or start it with "npm start" or "npx paxlog", which bring their own.\n`,
  )
  process.exit(1)
}
