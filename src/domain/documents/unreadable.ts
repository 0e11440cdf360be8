import { AppError } from '../../lib/errors.ts'
import { english } from '../../messages/english.ts'

/** For input that is broken, or that contains no flight. */
export const unreadable = (message: string, cause?: unknown) => new AppError('validation_failed', message, { cause })

export const NOTHING_FOUND = english.documents.nothingFound
