import type { z } from 'zod'
import { detailCodes, type ErrorDetail } from '../lib/errors.ts'
import { english } from '../messages/english.ts'

export type Issue = z.core.$ZodIssue

const MAX_DETAILS = 50

const { input } = english

const typeMessages: Record<string, string> = {
  string: input.text,
  number: input.number,
  int: input.wholeNumber,
  boolean: input.boolean,
  array: input.list,
  object: input.object,
  record: input.object,
}

const knownCodes = new Set<string>(detailCodes)

function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.endsWith('received undefined')) return input.required
      return typeMessages[issue.expected] ?? input.type({ type: issue.expected })
    case 'invalid_value':
      return input.oneOf({ values: issue.values.map(String).filter(Boolean).join(', ') })
    case 'too_small':
      if (issue.origin === 'string') return input.minCharacters({ count: Number(issue.minimum) })
      if (issue.origin === 'array') return input.minItems({ count: Number(issue.minimum) })
      return input.min({ min: Number(issue.minimum) })
    case 'too_big':
      if (issue.origin === 'string') return input.maxCharacters({ count: Number(issue.maximum) })
      if (issue.origin === 'array') return input.maxItems({ count: Number(issue.maximum) })
      return input.max({ max: Number(issue.maximum) })
    case 'invalid_format':
      return input.wrongForm
    default:
      return input.invalid
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
