import { AppError } from '../../lib/errors.ts'

/** For input that is broken, or that contains no flight. */
export const unreadable = (message: string, cause?: unknown) => new AppError('validation_failed', message, { cause })

export const NOTHING_FOUND =
  'The document contains no flight. Send the text of a boarding pass barcode, an Apple Wallet pass, a confirmation e-mail, a web page or JSON with schema.org flight data, or a calendar file.'
