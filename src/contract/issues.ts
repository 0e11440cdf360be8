import type { z } from 'zod'
import { detailCodes, type ErrorDetail } from '../lib/errors.ts'

export type Issue = z.core.$ZodIssue

const MAX_DETAILS = 50

const typeNames: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const knownCodes = new Set<string>(detailCodes)

const countUnits = (count: number | bigint, origin: string) =>
  `${count} ${origin === 'string' ? 'character' : 'item'}${Number(count) === 1 ? '' : 's'}`

function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.endsWith('received undefined')) return 'Is required.'
      return `Must be ${typeNames[issue.expected] ?? issue.expected}.`
    case 'invalid_value':
      return `Must be one of ${issue.values.map(String).filter(Boolean).join(', ')}.`
    case 'too_small':
      return ['string', 'array'].includes(issue.origin)
        ? `Must have at least ${countUnits(issue.minimum, issue.origin)}.`
        : `Must be ${issue.minimum} or more.`
    case 'too_big':
      return ['string', 'array'].includes(issue.origin)
        ? `Must have at most ${countUnits(issue.maximum, issue.origin)}.`
        : `Must be ${issue.maximum} or less.`
    case 'invalid_format':
      return 'Has the wrong form.'
    default:
      return 'Is not valid.'
  }
}

/** Schemas with their own message keep it; zod's default texts are replaced. */
const isCustomMessage = (message: string) => !/^(Invalid|Too |Unrecognized|Expected)/.test(message)

export function toErrorDetails({ issues }: { issues: readonly Issue[] }): ErrorDetail[] {
  return issues.slice(0, MAX_DETAILS).map((issue) => ({
    code: (knownCodes.has(issue.code) ? issue.code : 'custom') as ErrorDetail['code'],
    path: issue.path.map(String),
    message: isCustomMessage(issue.message) ? issue.message : describeIssue(issue),
  }))
}
