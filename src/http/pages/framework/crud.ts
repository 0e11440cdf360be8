import type { FastifyInstance } from 'fastify'
import type { JSX } from 'preact'
import type { Permission } from '../../../access/permissions.ts'
import type { PageTexts } from '../texts/languages.ts'
import type { PageContext } from './context.ts'
import { attempt, type FieldErrors, type FormErrors } from './forms.ts'
import { type IdRequest, signedInPages, type Visit } from './signed-in.ts'

/** The state of a form: as stored, or as typed with its errors. */
export interface FormState<Entries> {
  entries?: Entries | undefined
  fieldErrors: FieldErrors
}

type Again<Entries> = (entries: Entries) => (refused: FormErrors) => unknown

interface CrudPages<Entries, Item> {
  path: string
  permission?: Permission
  list: (visit: Visit, state: FormState<Entries>) => JSX.Element
  create: (visit: Visit, again: Again<Entries>) => Promise<unknown>
  find: (visit: Visit<IdRequest>) => Item
  edit: (visit: Visit<IdRequest>, item: Item, state: FormState<Entries>) => JSX.Element
  update: (visit: Visit<IdRequest>, item: Item, again: Again<Entries>) => Promise<unknown>
  remove: (visit: Visit<IdRequest>, item: Item) => Promise<void>
  removed: (texts: PageTexts, item: Item) => string
}

export function crudPages<Entries, Item>(
  app: FastifyInstance,
  context: PageContext,
  { path, permission, list, create, find, edit, update, remove, removed }: CrudPages<Entries, Item>,
) {
  const pages = signedInPages(app, context, permission)

  const again =
    (visit: Visit, page: (state: FormState<Entries>) => JSX.Element) =>
    (entries?: Entries) =>
    ({ status, fieldErrors }: FormErrors) =>
      visit.send(page({ entries, fieldErrors }), status)

  pages.get(path, (visit) => visit.send(list(visit, { fieldErrors: {} })))

  pages.post(path, (visit) => {
    const showAgain = again(visit, (state) => list(visit, state))
    return create(visit, showAgain)
  })

  pages.get<IdRequest>(`${path}/:id`, (visit) => visit.send(edit(visit, find(visit), { fieldErrors: {} })))

  pages.post<IdRequest>(`${path}/:id`, (visit) => {
    const item = find(visit)
    const showAgain = again(visit, (state) => edit(visit, item, state))
    return update(visit, item, showAgain)
  })

  pages.post<IdRequest>(`${path}/:id/delete`, (visit) => {
    const item = find(visit)
    return attempt({
      texts: visit.texts,
      work: () => remove(visit, item),
      again: again(visit, (state) => edit(visit, item, state))(),
      done: () => visit.back(path, removed(visit.texts, item)),
    })
  })

  return pages
}
