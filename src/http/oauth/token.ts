import type { FastifyRequest } from 'fastify'
import { type GrantType, grantTypes, type TokenAnswer } from '../../domain/oauth/contract.ts'
import { OAuthError } from '../../domain/oauth/errors.ts'
import { isVerifier } from '../../domain/oauth/pkce.ts'
import type { OAuthService } from '../../domain/oauth/service.ts'
import { clientOf, type Form, parseForm, requiredIn } from './form.ts'

interface Context {
  oauth: OAuthService
  form: Form
  clientId: string
  resource: string
}

const grants: Record<GrantType, (context: Context) => Promise<TokenAnswer>> = {
  authorization_code({ oauth, form, clientId, resource }) {
    const code = requiredIn(form, 'code')
    const verifier = requiredIn(form, 'code_verifier')
    if (!isVerifier(verifier))
      throw new OAuthError('invalid_request', 'code_verifier must be 43 to 128 unreserved characters.')
    return oauth.exchangeCode({ clientId, code, verifier, redirectUri: form.get('redirect_uri'), resource })
  },
  refresh_token({ oauth, form, clientId, resource }) {
    const refreshToken = requiredIn(form, 'refresh_token')
    return oauth.refresh({ clientId, refreshToken, scope: form.get('scope'), resource })
  },
}

function grantTypeOf(form: Form): GrantType {
  const type = requiredIn(form, 'grant_type')
  if ((grantTypes as readonly string[]).includes(type)) return type as GrantType
  throw new OAuthError('unsupported_grant_type', `grant_type must be ${grantTypes.join(' or ')}.`)
}

function resourceOf(form: Form, { resources }: OAuthService): string {
  const wanted = form.get('resource')
  const name = wanted === undefined ? undefined : resources.named(wanted)
  if (name !== undefined) return resources.urls[name]
  throw new OAuthError('invalid_target', `resource must be ${resources.urls.v1} or ${resources.urls.mcp}.`)
}

/** The steps of contract 7.7, in their order. */
export const tokenEndpoint = (oauth: OAuthService) => async (request: FastifyRequest) => {
  const form = parseForm(request)
  const type = grantTypeOf(form)
  const { id: clientId } = oauth.clients.authenticate(clientOf(request, form))
  const resource = resourceOf(form, oauth)
  return grants[type]({ oauth, form, clientId, resource })
}
