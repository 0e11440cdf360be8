/** Parts of forms and lists. */
export const forms = {
  fixFollowing: 'Fix the following:',
  notPossible: 'Not possible',
  fieldError: '{label}: {message}',

  matches: '{label}: matches',
  addNew: {
    airport: 'Add as a new airport',
    airline: 'Add as a new airline',
    aircraft: 'Add as a new aircraft type',
  },

  newPassword: 'New password',
  passwordHint: '8 characters or more.',

  yes: 'Yes',
  no: 'No',
  copy: 'Copy',
  copyThis: 'Copy<unseen> {what}</unseen>',

  pages: 'Pages',
  pageOf: 'Page {page} of {pages}',
  page: 'Page {page}',
  previous: 'Previous',
  next: 'Next',
} as const
