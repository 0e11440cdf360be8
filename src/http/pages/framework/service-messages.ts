import { AppError } from '../../../lib/errors.ts'
import { english } from '../../../messages/english.ts'
import { findMessage } from '../../../messages/find.ts'
import type { PageTexts } from '../texts/languages.ts'

type Given = Readonly<Record<string, string | number>>
type Text = string | ((values: Given) => string)

/** The value in the language of the page if it is a message, too. Other values are texts of users and files. */
function valueText(name: string, value: string | number, texts: PageTexts): string | number {
  if (name === 'problem') return messageText(String(value), texts)
  if (value === english.import.values.list) return texts.messages.import.values.list
  return value === english.import.values.object ? texts.messages.import.values.object : value
}

/** A sentence of a service in the language of the page. Sentences that are not in the table stay as they are. */
export function messageText(sentence: string, texts: PageTexts): string {
  const message = findMessage(sentence)
  if (!message) return sentence
  const text = message.path.reduce<unknown>(
    (group, key) => (group as Record<string, unknown>)[key],
    texts.messages,
  ) as Text
  if (typeof text === 'string') return text
  const values = Object.entries(message.values).map(([name, value]) => [name, valueText(name, value, texts)])
  return text(Object.fromEntries(values))
}

/** For errors of services. The first detail is more helpful than the message. */
export function errorText(error: Error, texts: PageTexts): string {
  if (error instanceof AppError && error.code === 'not_found') return texts.errors.notFound
  const detail = error instanceof AppError ? error.details?.[0] : undefined
  return messageText(detail?.message ?? error.message, texts)
}
