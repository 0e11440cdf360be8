import { plural } from '../message.ts'

/** Pages of errors. */
export const errors = {
  titles: {
    400: 'Bad request',
    403: 'Not allowed',
    404: 'Page not found',
    405: 'Method not allowed',
    409: 'Conflict',
    413: 'Too large',
    415: 'Unsupported content',
    422: 'Check your input',
    429: 'Too many attempts',
    500: 'Something went wrong',
    503: 'Too busy right now',
  },
  tooManyAttempts: plural({
    one: 'Too many attempts. Try again in one second.',
    other: 'Too many attempts. Try again in {count} seconds.',
  }),
  busySignIn: 'Too many people are signing in. Try again in a few seconds.',
  notFound: 'Check the address. The page may have been deleted.',
  formTooLarge: 'The limit is 64 KiB for a form, and 2 MiB for a flight.',
  fileTooLarge: 'The file is larger than the limit of this instance: {mebibytes} MiB.',
  tooMuchAroundFile: 'The form has too much data besides its file.',
  uploadInterrupted: 'The upload was interrupted. Send the form again.',
  repeatedField: 'The field {name} was sent more than once.',
  sentTwice: 'This form was sent twice, and its flight has been deleted. Send it again.',
  onlyForms: 'Pages accept only their own forms.',
  badRequest: 'Go back and try again.',
  failed: 'The request failed. The server log has the cause.',
  wrongMethod: 'This page does not support {method}. Allowed: {allowed}.',
  formRefused: 'The form was not accepted',
  otherSite: 'The form was sent from another site. Nothing was changed.',
  outOfDate: 'The form is out of date or from another browser. Nothing was changed.',
  sendAgain: 'Go back, reload the page and send the form again. If that does not help, compare these addresses:',
  configuredAddress: 'This instance is set up for',
  usedAddress: 'Your browser used',
  noHost: 'an address without a host',
  addressesMustMatch:
    'They must match: open the first address, or set <setting>BASE_URL</setting> to the address you use. The browser must also accept cookies.',
} as const
