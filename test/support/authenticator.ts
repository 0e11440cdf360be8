import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>

function head(type: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(type << 5) | value])
  if (value < 0x100) return Buffer.from([(type << 5) | 24, value])
  return Buffer.from([(type << 5) | 25, value >> 8, value & 0xff])
}

/** Encodes the few types of WebAuthn. */
export function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...(value as ReadonlyMap<number | string, Cbor>)]
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, each]) => [cbor(key), cbor(each)])])
}

type Algorithm = 'ES256' | 'EdDSA' | 'RS256'

interface KeyPair {
  privateKey: KeyObject
  /** In COSE format. */
  publicKey: Buffer
  /** The name of the hash for `sign`. */
  hash: string | null
}

const base64url = (text: string | undefined) => Buffer.from(text ?? '', 'base64url')

const makers: Record<Algorithm, () => KeyPair> = {
  ES256() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x, y } = publicKey.export({ format: 'jwk' })
    const members: [number, Cbor][] = [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, base64url(x)],
      [-3, base64url(y)],
    ]
    return { privateKey, publicKey: cbor(new Map(members)), hash: 'sha256' }
  },
  EdDSA() {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const { x } = publicKey.export({ format: 'jwk' })
    const members: [number, Cbor][] = [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, base64url(x)],
    ]
    return { privateKey, publicKey: cbor(new Map(members)), hash: null }
  },
  RS256() {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const { n, e } = publicKey.export({ format: 'jwk' })
    const members: [number, Cbor][] = [
      [1, 3],
      [3, -257],
      [-1, base64url(n)],
      [-2, base64url(e)],
    ]
    return { privateKey, publicKey: cbor(new Map(members)), hash: 'sha256' }
  },
}

/** What a browser and an authenticator would never do, for tests. */
export interface Deviations {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  crossOrigin?: boolean
  userHandle?: string
  credentialId?: Buffer
  counter?: number
  /** Without user presence or user verification. */
  isPresent?: boolean
  isVerified?: boolean
  /** Another public key in the attestation. */
  publicKey?: Buffer
  attestation?: { format: string; statement: ReadonlyMap<string, Cbor> }
}

interface AuthenticatorOptions {
  origin?: string
  rpId?: string
  algorithm?: Algorithm
}

interface Options {
  challenge: string
  user?: { id: string }
}

const PRESENT = 1
const VERIFIED = 4
const ATTESTED = 64

/** An authenticator with one passkey, and the browser that it is used with. */
export function authenticator(options: AuthenticatorOptions = {}) {
  const { origin = 'http://localhost:3000', rpId = 'localhost', algorithm = 'ES256' } = options
  const keys = makers[algorithm]()
  const credentialId = randomBytes(32)
  let userHandle = ''
  let counter = 0

  const clientData = (type: string, challenge: string, deviations: Deviations) =>
    Buffer.from(
      JSON.stringify({
        type: deviations.type ?? type,
        challenge: deviations.challenge ?? challenge,
        origin: deviations.origin ?? origin,
        crossOrigin: deviations.crossOrigin ?? false,
      }),
    )

  function authenticatorData(deviations: Deviations, attested?: Buffer): Buffer {
    const { isPresent = true, isVerified = true } = deviations
    counter = deviations.counter ?? counter + 1
    const flags = (isPresent ? PRESENT : 0) | (isVerified ? VERIFIED : 0) | (attested ? ATTESTED : 0)
    const rpIdHash = createHash('sha256')
      .update(deviations.rpId ?? rpId)
      .digest()
    const numbers = Buffer.alloc(5)
    numbers.writeUInt8(flags)
    numbers.writeUInt32BE(counter, 1)
    return Buffer.concat([rpIdHash, numbers, attested ?? Buffer.alloc(0)])
  }

  /** The response to `navigator.credentials.create`. */
  function create({ challenge, user }: Options, deviations: Deviations = {}) {
    userHandle = user!.id
    const id = deviations.credentialId ?? credentialId
    const idLength = Buffer.from([id.length >> 8, id.length & 0xff])
    const publicKey = deviations.publicKey ?? keys.publicKey
    const authData = authenticatorData(deviations, Buffer.concat([Buffer.alloc(16), idLength, id, publicKey]))
    const { format, statement } = deviations.attestation ?? { format: 'none', statement: new Map() }
    const attestation = new Map<string, Cbor>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', authData],
    ])
    return {
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData('webauthn.create', challenge, deviations).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** The response to `navigator.credentials.get`. */
  function get({ challenge }: Options, deviations: Deviations = {}) {
    const id = (deviations.credentialId ?? credentialId).toString('base64url')
    const clientDataJSON = clientData('webauthn.get', challenge, deviations)
    const data = authenticatorData(deviations)
    const signed = Buffer.concat([data, createHash('sha256').update(clientDataJSON).digest()])
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientDataJSON.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign(keys.hash, signed, keys.privateKey).toString('base64url'),
        userHandle: deviations.userHandle ?? userHandle,
      },
    }
  }

  return { create, get, credentialId, publicKey: keys.publicKey }
}
