import type { Db } from '../../db/open.ts'
import { writing } from '../../db/writing.ts'
import type { Clock } from '../../lib/clock.ts'
import { lifetimes } from './contract.ts'

/** Removes what has run out, so that the tables stay as small as what lives. */
export function purger({ db, clock }: { db: Db; clock: Clock }) {
  const client = db.$client
  const statements = [
    'delete from oauth_requests where expires_at <= @now',
    'delete from oauth_access_tokens where expires_at <= @now',
    // A spent token is remembered until it would have expired: until then its return means theft.
    'delete from oauth_refresh_tokens where expires_at <= @now',
    `delete from oauth_families where created_at <= @longAgo
       and not exists (select 1 from oauth_refresh_tokens t where t.family_id = oauth_families.id)
       and not exists (select 1 from oauth_access_tokens t where t.family_id = oauth_families.id)`,
    // A code that began a family goes with it; one that began none is forgotten when it expires.
    'delete from oauth_codes where expires_at <= @now and family_id is null',
    `delete from oauth_clients where idle_since <= @dayAgo
       and not exists (select 1 from oauth_grants g where g.client_id = oauth_clients.id)
       and not exists (select 1 from oauth_requests r where r.client_id = oauth_clients.id)`,
  ].map((sql) => client.prepare(sql))

  return function purge(): void {
    const now = clock()
    const moments = {
      now,
      longAgo: now - lifetimes.refreshToken * 1000,
      dayAgo: now - lifetimes.unusedClient * 1000,
    }
    writing(db, () => {
      for (const statement of statements) {
        const wanted = Object.entries(moments).filter(([name]) => statement.source.includes(`@${name}`))
        statement.run(Object.fromEntries(wanted))
      }
    })
  }
}
