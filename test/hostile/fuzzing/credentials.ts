import type { Random } from './values.ts'
import type { World } from './world.ts'

type Headers = (readonly [string, string])[]

/** All kinds of credentials, mostly valid, because invalid ones end a request early. */
export function credentialPicker({ keys, tokens, session }: World, random: Random) {
  const { pick, next } = random
  const bearer = (credential: string): Headers => [['Authorization', `Bearer ${credential}`]]
  const broken: (() => Headers)[] = [
    () => [],
    () => bearer(''),
    () => bearer('nonsense'),
    () => bearer('x'.repeat(5000)),
    () => bearer(keys.dead),
    () => bearer(tokens.dead.access_token),
    () => bearer(`${keys.full[0]!.slice(0, -1)}_`),
    () => bearer(`${tokens.v1.access_token}x`),
    () => bearer(tokens.v1.refresh_token),
    () => [...bearer(keys.full[0]!), ...bearer(keys.full[0]!)],
    () => [['Authorization', `Basic ${Buffer.from('a:b').toString('base64')}`]],
    () => [['Authorization', `Bearer\t\xff${keys.full[0]!}`]],
    () => [['Cookie', `paxlog=${session}`]],
  ]
  return (surface: 'v1' | 'legacy' | 'mcp'): Headers => {
    const dice = next()
    if (dice < 0.7) return bearer(pick(keys.full))
    if (dice < 0.76) return bearer(keys.traveller)
    if (dice < 0.8) return bearer(keys.reader)
    if (dice < 0.86) return bearer(pick(keys.single))
    if (dice < 0.92)
      return bearer(pick([tokens[surface === 'mcp' ? 'mcp' : 'v1'], tokens.v1, tokens.mcp, tokens.narrow]).access_token)
    return pick(broken)()
  }
}
