import { sql } from 'drizzle-orm'
import { blob, check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const roles = sqliteTable(
  'roles',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** SQLite ignores case only for ASCII. */
    nameKey: text('name_key').notNull(),
    description: text(),
    permissions: text({ mode: 'json' }).$type<string[]>().notNull(),
    isDefault: integer('is_default', { mode: 'boolean' }).notNull().default(false),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('roles_name').on(t.nameKey),
    uniqueIndex('roles_one_default').on(t.isDefault).where(sql`is_default = 1`),
    check('roles_permissions_are_json', sql`json_valid(permissions)`),
  ],
)

export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    username: text().notNull(),
    displayName: text('display_name').notNull(),
    /** Empty for an account that signs in only with the identity provider. */
    passwordHash: text('password_hash').notNull(),
    roleId: text('role_id').references(() => roles.id, { onDelete: 'restrict' }),
    isOwner: integer('is_owner', { mode: 'boolean' }).notNull().default(false),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('users_username').on(sql`username collate nocase`),
    uniqueIndex('users_one_owner').on(t.isOwner).where(sql`is_owner = 1`),
    index('users_role').on(t.roleId),
    check('users_owner_or_role', sql`(is_owner = 1) = (role_id is null)`),
  ],
)

/** Rows that are deleted with their user. */
export const ownerId = () =>
  text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** Values of the role claim that map to a role. */
export const roleMappings = sqliteTable(
  'role_mappings',
  {
    value: text().primaryKey(),
    roleId: text('role_id')
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
  },
  (t) => [index('role_mappings_role').on(t.roleId)],
)

/** Links to the identity provider by issuer and subject, never by name. */
export const identities = sqliteTable(
  'identities',
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    userId: ownerId(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.issuer, t.subject] }), uniqueIndex('identities_user').on(t.userId, t.issuer)],
)

/** Used provider responses, kept until they expire, to prevent replays. */
export const usedSignIns = sqliteTable(
  'used_sign_ins',
  { hash: blob({ mode: 'buffer' }).primaryKey(), usedAt: integer('used_at').notNull() },
  (t) => [index('used_sign_ins_used').on(t.usedAt)],
)

/** The private keys stay in the authenticators. */
export const passkeys = sqliteTable(
  'passkeys',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    name: text().notNull(),
    credentialId: blob('credential_id', { mode: 'buffer' }).notNull(),
    /** In COSE format. */
    publicKey: blob('public_key', { mode: 'buffer' }).notNull(),
    /** Of the authenticator; 0 if it does not count. */
    counter: integer().notNull(),
    /** The host that the passkey is bound to. */
    rpId: text('rp_id').notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at'),
  },
  (t) => [uniqueIndex('passkeys_credential').on(t.credentialId), index('passkeys_user').on(t.userId)],
)

export const preferences = sqliteTable('preferences', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  distanceUnit: text('distance_unit').notNull(),
  windSpeedUnit: text('wind_speed_unit').notNull(),
  temperatureUnit: text('temperature_unit').notNull(),
  pressureUnit: text('pressure_unit').notNull(),
  timeFormat: text('time_format').notNull(),
  dateFormat: text('date_format').notNull(),
  weekStartsOn: text('week_starts_on').notNull(),
  flightTimeDisplay: text('flight_time_display').notNull(),
  theme: text('theme').notNull().default('auto'),
  language: text('language').notNull().default('auto'),
})

/** The session id itself is only in the cookie. */
export const sessions = sqliteTable(
  'sessions',
  {
    hash: blob({ mode: 'buffer' }).primaryKey(),
    userId: ownerId(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at').notNull(),
    device: text(),
  },
  (t) => [index('sessions_user').on(t.userId), index('sessions_last_used').on(t.lastUsedAt)],
)

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    name: text().notNull(),
    hash: blob({ mode: 'buffer' }).notNull(),
    scopes: text({ mode: 'json' }).$type<string[]>().notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at'),
    legacyObjects: integer('legacy_objects', { mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    uniqueIndex('api_keys_hash').on(t.hash),
    index('api_keys_user').on(t.userId),
    check('api_keys_scopes_are_json', sql`json_valid(scopes)`),
  ],
)
