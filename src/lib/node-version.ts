const NEEDED = [22, 12] as const

/** Native modules crash on an older Node, so this runs before any of them is imported. */
export function requireNode(version = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return
  process.stderr.write(
    `Paxlog needs Node ${NEEDED.join('.')} or newer, and this is Node ${version}: install a newer Node, or start it with "npm start" or "npx paxlog", which bring their own.\n`,
  )
  process.exit(1)
}
