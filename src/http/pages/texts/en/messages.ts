/** Sentences of services. */
export { messages } from '../../../../messages/messages.ts'
