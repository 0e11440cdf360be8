/** The kinds of rows that are shipped and searched. */
export const referenceKinds = ['airports', 'airlines', 'aircraft'] as const
export type ReferenceKind = (typeof referenceKinds)[number]
