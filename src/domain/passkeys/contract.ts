import * as z from 'zod'
import { trimmedText } from '../../contract/common.ts'

export const PasskeyName = trimmedText({ min: 1, max: 100 })

/** Base64url without padding, in the only spelling of its bytes. */
const bytes = (max: number) =>
  z
    .string()
    .max(Math.ceil((max * 4) / 3))
    .regex(/^[\w-]+$/)
    .refine((text) => Buffer.from(text, 'base64url').toString('base64url') === text)
    .transform((text) => Buffer.from(text, 'base64url'))

/** The limit of WebAuthn. */
const credentialId = bytes(1023)
const clientData = bytes(4096)

/** The response of a browser to `navigator.credentials.create`. */
export const Registration = z.object({
  id: credentialId,
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: clientData, attestationObject: bytes(8192) }),
})
export type Registration = z.output<typeof Registration>

/** The response of a browser to `navigator.credentials.get`. */
export const Assertion = z.object({
  id: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: clientData,
    authenticatorData: bytes(4096),
    signature: bytes(2048),
    userHandle: bytes(64),
  }),
})
export type Assertion = z.output<typeof Assertion>

/** Any other members are ignored. */
export const ClientData = z.object({
  challenge: z.string().regex(/^[\w-]{43}$/),
  crossOrigin: z.literal(false).optional(),
})

export interface RelyingParty {
  /** The host of BASE_URL, which passkeys are bound to. */
  id: string
  origin: string
}

/** Browsers allow passkeys only on https with a domain name and on http://localhost. */
export function relyingPartyOf(baseUrl: string): RelyingParty | undefined {
  const url = URL.parse(baseUrl)
  if (!url) return undefined
  const { protocol, hostname, origin } = url
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  const isOffered = protocol === 'https:' ? !isAddress : hostname === 'localhost'
  return isOffered ? { id: hostname, origin } : undefined
}
