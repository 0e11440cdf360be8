import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import type { Assertion, Registration, RelyingParty } from './contract.ts'

/** EdDSA, ES256 and RS256. The default of the library also has ML-DSA, which is experimental in Node. */
const ALGORITHMS = [-8, -7, -257]
/** An RSA key of 4096 bits takes 530 bytes. */
const MAX_PUBLIC_KEY_BYTES = 1024

interface CreationOptions {
  challenge: Buffer
  timeoutMs: number
  user: { id: string; username: string; displayName: string }
  existing: readonly Buffer[]
}

const toBytes = (buffer: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(buffer)
const toDescriptors = (ids: readonly Buffer[]) => ids.map((id) => ({ id: id.toString('base64url') }))

export const creationOptions = ({ id }: RelyingParty, { challenge, timeoutMs, user, existing }: CreationOptions) =>
  generateRegistrationOptions({
    rpName: 'Paxlog',
    rpID: id,
    userName: user.username,
    userDisplayName: user.displayName,
    userID: toBytes(Buffer.from(user.id)),
    challenge: toBytes(challenge),
    timeout: timeoutMs,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: toDescriptors(existing),
  })

/** Without `allowed`, the browser offers all passkeys of the host. */
export const requestOptions = (
  { id }: RelyingParty,
  challenge: Buffer,
  timeoutMs: number,
  allowed: readonly Buffer[] = [],
) =>
  generateAuthenticationOptions({
    rpID: id,
    challenge: toBytes(challenge),
    timeout: timeoutMs,
    userVerification: 'required',
    allowCredentials: toDescriptors(allowed),
  })

/** The library downloads revocation lists for certificates, so only attestation without certificates is accepted. */
function requireNoCertificates(attestationObject: Buffer): void {
  const decoded = decodeAttestationObject(toBytes(attestationObject))
  const format = decoded.get('fmt')
  const isSelfAttestation = format === 'packed' && !decoded.get('attStmt').get('x5c')
  if (format !== 'none' && !isSelfAttestation) throw new Error('The attestation has a certificate.')
}

/** Throws any error for an invalid response. */
export async function verifyRegistration(party: RelyingParty, challenge: string, { id, type, response }: Registration) {
  requireNoCertificates(response.attestationObject)
  const text = id.toString('base64url')
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      id: text,
      rawId: text,
      type,
      clientExtensionResults: {},
      response: {
        clientDataJSON: response.clientDataJSON.toString('base64url'),
        attestationObject: response.attestationObject.toString('base64url'),
      },
    },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  })
  if (!verified) throw new Error('The response is not valid.')
  const { credential } = registrationInfo
  const publicKey = Buffer.from(credential.publicKey)
  if (credential.id !== text) throw new Error('The response has two credential ids.')
  if (publicKey.length > MAX_PUBLIC_KEY_BYTES) throw new Error('The public key is too long.')
  return { credentialId: id, publicKey, counter: credential.counter }
}

interface Credential {
  publicKey: Buffer
  rpId: string
}

/** Returns the new counter. Throws any error for an invalid response. */
export async function verifyAssertion(
  party: RelyingParty,
  challenge: string,
  { id, type, response }: Assertion,
  { publicKey, rpId }: Credential,
): Promise<number> {
  if (rpId !== party.id) throw new Error('The passkey belongs to another host.')
  const text = id.toString('base64url')
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id: text,
      rawId: text,
      type,
      clientExtensionResults: {},
      response: {
        clientDataJSON: response.clientDataJSON.toString('base64url'),
        authenticatorData: response.authenticatorData.toString('base64url'),
        signature: response.signature.toString('base64url'),
        userHandle: response.userHandle.toString('base64url'),
      },
    },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    // The library compares the counter before the signature; the caller compares it afterwards.
    credential: { id: text, publicKey: toBytes(publicKey), counter: 0 },
  })
  if (!verified) throw new Error('The signature is not valid.')
  return authenticationInfo.newCounter
}
