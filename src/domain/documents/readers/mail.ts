import type { Attachment, Email } from 'postal-mime'
import { english } from '../../../messages/english.ts'
import { type DocumentFlight, MAX_FOUND } from '../document-flight.ts'
import { unreadable } from '../unreadable.ts'
import { flightsInCalendar } from './calendar.ts'
import { contentOf, type Reader } from './reader.ts'
import { flightsInHtml } from './structured-data.ts'
import { readWalletPass } from './wallet-pass.ts'

const LIMITS = { maxNestingDepth: 50, maxRfc822NestingDepth: 5, maxHeadersSize: 256 * 1024 }
/** Lines that may begin or end a part. */
const MAX_BOUNDARIES = 2000
const MAX_ATTACHMENTS = 100

const HEADER = /^(?:from|to|subject|date|received|return-path|delivered-to|mime-version|content-type|message-id):/im

function requireFewParts(bytes: Buffer): void {
  let found = 0
  for (let at = bytes.indexOf('\n--'); at >= 0; at = bytes.indexOf('\n--', at + 1)) {
    if (++found > MAX_BOUNDARIES) throw unreadable(english.documents.emailParts)
  }
}

async function parse(bytes: Buffer): Promise<Email> {
  const { default: PostalMime } = await import('postal-mime')
  try {
    return await PostalMime.parse(bytes, LIMITS)
  } catch (error) {
    throw unreadable(english.documents.emailNotValid, error)
  }
}

async function flightsInAttachment(attachment: Attachment, reference: string): Promise<DocumentFlight[]> {
  const { mimeType, filename, content } = attachment
  const bytes = Buffer.from(content as ArrayBuffer)
  const name = filename?.toLowerCase() ?? ''
  if (mimeType === 'text/calendar' || name.endsWith('.ics')) return flightsInCalendar(contentOf(bytes))
  if (mimeType === 'application/vnd.apple.pkpass' || name.endsWith('.pkpass')) return readWalletPass(bytes, reference)
  return []
}

export const mail: Reader = {
  types: ['message/rfc822', 'application/mbox'],
  matches: (start) => /^(?:From |[A-Za-z][A-Za-z0-9-]{0,70}:)/.test(start) && HEADER.test(start),
  needsWorker: true,
  async read({ bytes }, reference) {
    requireFewParts(bytes)
    const { html, attachments } = await parse(bytes)
    const found = flightsInHtml(html ?? '')
    let failure: unknown
    for (const attachment of attachments.slice(0, MAX_ATTACHMENTS)) {
      try {
        found.push(...(await flightsInAttachment(attachment, reference)))
      } catch (error) {
        // A broken attachment matters only if the rest of the mail has no flight.
        failure ??= error
      }
    }
    if (found.length === 0 && failure !== undefined) throw failure
    return found.slice(0, MAX_FOUND)
  },
}
