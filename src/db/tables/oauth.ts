import { sql } from 'drizzle-orm'
import { blob, check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { ownerId, users } from './users.ts'

export const oauthClients = sqliteTable(
  'oauth_clients',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    redirectUris: text('redirect_uris', { mode: 'json' }).$type<string[]>().notNull(),
    authMethod: text('auth_method', { enum: ['none', 'client_secret_post', 'client_secret_basic'] }).notNull(),
    secretHash: blob('secret_hash', { mode: 'buffer' }),
    createdAt: integer('created_at').notNull(),
    /** A client without grants is removed a day later. */
    idleSince: integer('idle_since').notNull(),
    /** From a client id metadata document; unverified. */
    website: text(),
  },
  (t) => [
    index('oauth_clients_idle').on(t.idleSince),
    check('oauth_clients_secret', sql`(auth_method = 'none') = (secret_hash is null)`),
  ],
)

export const oauthRequests = sqliteTable(
  'oauth_requests',
  {
    id: text().primaryKey(),
    clientId: text('client_id')
      .notNull()
      .references(() => oauthClients.id, { onDelete: 'cascade' }),
    redirectUri: text('redirect_uri').notNull(),
    resource: text().notNull(),
    scopes: text({ mode: 'json' }).$type<string[]>().notNull(),
    state: text(),
    codeChallenge: text('code_challenge').notNull(),
    browserHash: blob('browser_hash', { mode: 'buffer' }).notNull(),
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [index('oauth_requests_client').on(t.clientId), index('oauth_requests_expiry').on(t.expiresAt)],
)

export const oauthGrants = sqliteTable(
  'oauth_grants',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    clientId: text('client_id')
      .notNull()
      .references(() => oauthClients.id, { onDelete: 'cascade' }),
    userId: ownerId(),
    resource: text().notNull(),
    scopes: text({ mode: 'json' }).$type<string[]>().notNull(),
    redirectHost: text('redirect_host').notNull(),
    approvedAt: integer('approved_at').notNull(),
    lastUsedAt: integer('last_used_at'),
  },
  (t) => [
    uniqueIndex('oauth_grants_one').on(t.clientId, t.userId, t.resource),
    index('oauth_grants_user').on(t.userId),
  ],
)

export const oauthFamilies = sqliteTable(
  'oauth_families',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    grantId: integer('grant_id')
      .notNull()
      .references(() => oauthGrants.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
    revokedAt: integer('revoked_at'),
  },
  (t) => [index('oauth_families_grant').on(t.grantId)],
)

export const oauthCodes = sqliteTable(
  'oauth_codes',
  {
    hash: blob({ mode: 'buffer' }).primaryKey(),
    grantId: integer('grant_id')
      .notNull()
      .references(() => oauthGrants.id, { onDelete: 'cascade' }),
    redirectUri: text('redirect_uri').notNull(),
    scopes: text({ mode: 'json' }).$type<string[]>().notNull(),
    codeChallenge: text('code_challenge').notNull(),
    expiresAt: integer('expires_at').notNull(),
    spentAt: integer('spent_at'),
    familyId: integer('family_id').references(() => oauthFamilies.id, { onDelete: 'cascade' }),
  },
  (t) => [
    index('oauth_codes_grant').on(t.grantId),
    index('oauth_codes_family').on(t.familyId),
    index('oauth_codes_expiry').on(t.expiresAt),
  ],
)

export const oauthRefreshTokens = sqliteTable(
  'oauth_refresh_tokens',
  {
    hash: blob({ mode: 'buffer' }).primaryKey(),
    familyId: integer('family_id')
      .notNull()
      .references(() => oauthFamilies.id, { onDelete: 'cascade' }),
    scopes: text({ mode: 'json' }).$type<string[]>().notNull(),
    issuedAt: integer('issued_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    usedAt: integer('used_at'),
    /** The successor during the grace period, encrypted with a key derived from this token. */
    successor: blob({ mode: 'buffer' }),
    successorHash: blob('successor_hash', { mode: 'buffer' }),
  },
  (t) => [index('oauth_refresh_family').on(t.familyId), index('oauth_refresh_expiry').on(t.expiresAt)],
)

export const oauthAccessTokens = sqliteTable(
  'oauth_access_tokens',
  {
    jti: text().primaryKey(),
    familyId: integer('family_id')
      .notNull()
      .references(() => oauthFamilies.id, { onDelete: 'cascade' }),
    expiresAt: integer('expires_at').notNull(),
    revokedAt: integer('revoked_at'),
  },
  (t) => [index('oauth_access_family').on(t.familyId), index('oauth_access_expiry').on(t.expiresAt)],
)

/** ES256 keys; the newest signs, all verify. */
export const signingKeys = sqliteTable('signing_keys', {
  kid: text().primaryKey(),
  privateJwk: text('private_jwk', { mode: 'json' }).$type<Record<string, string>>().notNull(),
  createdAt: integer('created_at').notNull(),
})
