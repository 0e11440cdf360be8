import type { z } from 'zod'
import { detailCodes, type ErrorDetail } from '../lib/errors.ts'

export type Issue = z.core.$ZodIssue

const MOST_DETAILS = 50

const named: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const known = new Set<string>(detailCodes)

const counted = (count: number | bigint, origin: string) =>
  `${count} ${origin === 'string' ? 'character' : 'item'}${Number(count) === 1 ? '' : 's'}`

/** Says what the member must be, so that the client knows what to send next. */
function sentence(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.endsWith('received undefined')) return 'Is required.'
      return `Must be ${named[issue.expected] ?? issue.expected}.`
    case 'invalid_value':
      return `Must be one of ${issue.values.map(String).filter(Boolean).join(', ')}.`
    case 'too_small':
      return ['string', 'array'].includes(issue.origin)
        ? `Must have at least ${counted(issue.minimum, issue.origin)}.`
        : `Must be ${issue.minimum} or more.`
    case 'too_big':
      return ['string', 'array'].includes(issue.origin)
        ? `Must have at most ${counted(issue.maximum, issue.origin)}.`
        : `Must be ${issue.maximum} or less.`
    case 'invalid_format':
      return 'Has the wrong form.'
    default:
      return 'Is not valid.'
  }
}

/** zod's own texts speak of types; schemas that carry a message of their own keep it. */
const isOwnMessage = (message: string) => !/^(Invalid|Too |Unrecognized|Expected)/.test(message)

/** The issues of one parse as `details` of the error object. */
export function detailsOf({ issues }: { issues: readonly Issue[] }): ErrorDetail[] {
  return issues.slice(0, MOST_DETAILS).map((issue) => ({
    code: (known.has(issue.code) ? issue.code : 'custom') as ErrorDetail['code'],
    path: issue.path.map(String),
    message: isOwnMessage(issue.message) ? issue.message : sentence(issue),
  }))
}
