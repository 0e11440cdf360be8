import { AppError } from '../../../lib/errors.ts'
import { findMessage } from '../../../messages/find.ts'
import type { PageTexts } from '../texts/languages.ts'

type Given = Readonly<Record<string, string | number>>
type Text = string | ((values: Given) => string)

/** Values of these names are sentences, too. */
const SENTENCES = ['problem']

/** A sentence of a service in the language of the page. Sentences that are not in the table stay as they are. */
export function messageText(sentence: string, texts: PageTexts): string {
  const message = findMessage(sentence)
  if (!message) return sentence
  const text = message.path.reduce<unknown>(
    (group, key) => (group as Record<string, unknown>)[key],
    texts.messages,
  ) as Text
  if (typeof text === 'string') return text
  const values = Object.entries(message.values).map(([name, value]) => [
    name,
    SENTENCES.includes(name) ? messageText(String(value), texts) : value,
  ])
  return text(Object.fromEntries(values))
}

/** For errors of services. The first detail is more helpful than the message. */
export function errorText(error: Error, texts: PageTexts): string {
  if (error instanceof AppError && error.code === 'not_found') return texts.errors.notFound
  const detail = error instanceof AppError ? error.details?.[0] : undefined
  return messageText(detail?.message ?? error.message, texts)
}
