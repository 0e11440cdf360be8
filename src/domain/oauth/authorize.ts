import { randomBytes } from 'node:crypto'
import { operator } from '../../access/caller.ts'
import type { Permission } from '../../access/permissions.ts'
import { grantableScopes, inCatalogueOrder, type Scope } from '../../access/scopes.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { digest, newSecret, sameDigest } from '../../lib/secret.ts'
import { english } from '../../messages/english.ts'
import type { ActivityService, Actor } from '../activity/service.ts'
import type { ClientDocument, ClientDocuments } from './client-documents.ts'
import { MAX_UNAPPROVED } from './clients.ts'
import { lifetimes, type OAuthCode, OAuthError } from './contract.ts'
import {
  isChallenge,
  matchesRedirectUri,
  type ResourceTable,
  redirectHost,
  requestedScopes,
  withParameters,
} from './parameters.ts'
import type { ClientRow, OAuthStore, PendingRow } from './store.ts'

const MAX_STATE_LENGTH = 4096
/** Rejected if repeated; unknown parameters are ignored. */
const KNOWN_PARAMETERS = ['response_type', 'code_challenge', 'code_challenge_method', 'resource', 'scope', 'state']

/** An error that may link to the client, because its redirect URI was checked. */
export class LinkableError extends OAuthError {
  /** Paxlog redirects by itself only to applications that the user approved before. */
  readonly link: string
  readonly clientId: string

  constructor(error: OAuthError, link: string, clientId: string) {
    super(error.code, error.message)
    this.link = link
    this.clientId = clientId
  }
}

interface Client extends Pick<ClientRow, 'id' | 'redirectUris'> {
  /** Only of a client that is identified by a URL. */
  document?: ClientDocument
}

export interface ConsentRequest {
  pending: PendingRow
  client: ClientRow
  /** The host of a client that is identified by a URL. */
  verifiedHost: string | undefined
}

interface Dependencies {
  db: Db
  clock: Clock
  issuer: string
  resources: ResourceTable
  store: OAuthStore
  documents: ClientDocuments
  activity: ActivityService
}

const expiredRequest = () => new OAuthError('invalid_request', english.oauth.expired)

/** An empty parameter counts as absent (RFC 6749 section 3.1). */
const one = (query: URLSearchParams, name: string) => query.get(name) || undefined

export function authorizeService({ db, clock, issuer, resources, store, documents, activity }: Dependencies) {
  /** Strangers must not make the server fetch documents. Throws for URLs that it never fetches. */
  function needsSignIn(query: URLSearchParams): boolean {
    const clientId = one(query, 'client_id')
    if (clientId === undefined || !documents.isUrl(clientId)) return false
    documents.check(clientId)
    return true
  }

  async function findClient(id: string, userId: string | undefined): Promise<Client> {
    if (documents.isUrl(id)) {
      if (userId === undefined) throw new OAuthError('invalid_request', english.oauth.signInFirst)
      const document = await documents.find(id, userId)
      return { id, redirectUris: document.redirectUris, document }
    }
    const client = store.findClient(id)
    if (client) return client
    throw new OAuthError('invalid_request', english.oauth.unknownApplication)
  }

  /** Before these are checked, nothing may link to the client. */
  async function requireClient(query: URLSearchParams, userId: string | undefined) {
    for (const name of ['client_id', 'redirect_uri']) {
      if (query.getAll(name).length !== 1 || !one(query, name)) {
        throw new OAuthError('invalid_request', english.oauth.exactlyOnce({ parameter: name }))
      }
    }
    const client = await findClient(query.get('client_id')!, userId)
    const redirectUri = query.get('redirect_uri')!
    if (!matchesRedirectUri(client.redirectUris, redirectUri)) {
      throw new OAuthError('invalid_request', english.oauth.redirectNotRegistered)
    }
    return { client, redirectUri }
  }

  /** Contract 7.4, steps 2 to 7. */
  function parseRequest(query: URLSearchParams) {
    for (const name of KNOWN_PARAMETERS) {
      if (query.getAll(name).length < 2) continue
      throw new OAuthError(
        name === 'resource' ? 'invalid_target' : 'invalid_request',
        english.oauth.twice({ parameter: name }),
      )
    }
    const type = one(query, 'response_type')
    if (type === undefined) throw new OAuthError('invalid_request', english.oauth.noResponseType)
    if (type !== 'code') throw new OAuthError('unsupported_response_type', english.oauth.onlyCode)
    const state = one(query, 'state') ?? null
    if (state !== null && state.length > MAX_STATE_LENGTH) {
      throw new OAuthError('invalid_request', english.oauth.stateTooLong({ max: MAX_STATE_LENGTH }))
    }
    const codeChallenge = one(query, 'code_challenge')
    if (codeChallenge === undefined || !isChallenge(codeChallenge)) {
      throw new OAuthError('invalid_request', english.oauth.codeChallenge)
    }
    if (query.get('code_challenge_method') !== 'S256') {
      throw new OAuthError('invalid_request', english.oauth.codeChallengeMethod)
    }
    const requested = one(query, 'resource')
    const resource = requested === undefined ? undefined : resources.findByUrl(requested)
    if (resource === undefined) {
      throw new OAuthError(
        'invalid_target',
        english.oauth.resource({ rest: resources.urls.v1, mcp: resources.urls.mcp }),
      )
    }
    const scopes: Scope[] = requestedScopes(one(query, 'scope'), resource)
    return { state, codeChallenge, resource: resources.urls[resource], scopes }
  }

  /** Tokens outlive the document, so the client is stored. */
  function saveClient(id: string, { name, website, redirectUris }: ClientDocument): void {
    const now = clock()
    const unregistered = { authMethod: 'none', secretHash: null } as const
    store.saveClient({ id, name, website, redirectUris, ...unregistered, createdAt: now, idleSince: now })
    store.limitUnapproved(id, MAX_UNAPPROVED)
  }

  async function begin(query: URLSearchParams, browser: string, userId?: string): Promise<{ id: string }> {
    const { client, redirectUri } = await requireClient(query, userId)
    const id = randomBytes(24).toString('base64url')
    try {
      const request = {
        ...parseRequest(query),
        id,
        clientId: client.id,
        redirectUri,
        browserHash: digest(browser),
        userId: null,
        expiresAt: clock() + lifetimes.pendingRequest * 1000,
      }
      const { document } = client
      await write(db, document ? 'credentials' : 'uncached', () => {
        if (document) saveClient(client.id, document)
        store.insertPending(request)
      })
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      const state = query.getAll('state').length === 1 ? one(query, 'state') : undefined
      const link = errorRedirect(redirectUri, state ?? null, error.code, error.message)
      throw new LinkableError(error, link, client.id)
    }
    return { id }
  }

  function errorRedirect(redirectUri: string, state: string | null, error: OAuthCode, description: string): string {
    return withParameters(redirectUri, { error, error_description: description, state, iss: issuer })
  }

  /** A request belongs to the first user who sees it. */
  async function pendingFor(id: string, browser: string | undefined, userId: string): Promise<ConsentRequest> {
    const pending = store.findPending(id)
    const client = pending && store.findClient(pending.clientId)
    const sameBrowser = pending && browser !== undefined && sameDigest(digest(browser), pending.browserHash)
    if (!pending || !client || !sameBrowser || pending.expiresAt <= clock() || (pending.userId ?? userId) !== userId) {
      throw expiredRequest()
    }
    if (pending.userId === null) {
      await write(db, 'uncached', () => {
        const now = store.findPending(id)
        if (!now || (now.userId ?? userId) !== userId) throw expiredRequest()
        store.claimPending(id, userId)
      })
    }
    return { pending, client, verifiedHost: documents.isUrl(client.id) ? new URL(client.id).host : undefined }
  }

  /** MCP clients request scopes step by step, others all at once (contract 7.5). */
  function choices({ pending, client }: ConsentRequest, userId: string): { selected: Scope[]; previous: Scope[] } {
    const previous = inCatalogueOrder(store.findGrant(client.id, userId, pending.resource)?.scopes ?? [])
    const asked = inCatalogueOrder(pending.scopes)
    if (pending.resource === resources.urls.mcp)
      return { selected: inCatalogueOrder([...asked, ...previous]), previous: [] }
    return { selected: asked, previous: previous.filter((scope) => !asked.includes(scope)) }
  }

  function decide(
    { pending, client }: ConsentRequest,
    user: { id: string; permissions: ReadonlySet<Permission> },
    decision: { approve: boolean; scopes: readonly string[] },
    by: Actor = operator,
  ): Promise<string> {
    const { redirectUri, state } = pending
    return write(db, 'credentials', () => {
      // Another process may have handled a decision at the same time.
      if (store.deletePending(pending.id).changes === 0) throw expiredRequest()
      if (!decision.approve || decision.scopes.length === 0) {
        return errorRedirect(redirectUri, state, 'access_denied', 'The user did not approve the request.')
      }
      const grantable = new Set<string>(grantableScopes(user.permissions))
      if (!decision.scopes.every((scope) => grantable.has(scope))) {
        return errorRedirect(redirectUri, state, 'invalid_scope', 'A scope is not grantable by this user.')
      }
      const scopes = inCatalogueOrder(decision.scopes)
      const now = clock()
      const grantId = store.saveGrant({
        clientId: client.id,
        userId: user.id,
        resource: pending.resource,
        scopes,
        redirectHost: redirectHost(redirectUri),
        approvedAt: now,
      })
      activity.record(by, { kind: 'grant.created', subject: grantId, name: client.name, concerns: [user.id] })
      const code = newSecret('pxc_')
      store.insertCode({
        hash: digest(code),
        grantId,
        redirectUri,
        scopes,
        codeChallenge: pending.codeChallenge,
        expiresAt: now + lifetimes.code * 1000,
      })
      return withParameters(redirectUri, { code, state, iss: issuer })
    })
  }

  function release(id: string, userId: string): Promise<void> {
    return write(db, 'uncached', () => {
      if (store.findPending(id)?.userId === userId) store.claimPending(id, null)
    })
  }

  return { needsSignIn, begin, isApproved: store.hasGrant, pendingFor, choices, decide, release }
}
