import type { FastifyInstance } from 'fastify'
import { type CustomField, CustomFieldReplace, CustomFieldWrite } from '../../../../domain/custom-fields/contract.ts'
import type { PageContext } from '../../framework/context.ts'
import { crudPages } from '../../framework/crud.ts'
import { readForm, submit } from '../../framework/forms.ts'
import { idOf } from '../../framework/signed-in.ts'
import {
  bodyOf,
  customFieldSpecs,
  defaultFaults,
  emptyEntries,
  entriesFor,
  type FieldEntries,
  fieldAt,
} from './custom-field-form.ts'
import { CustomFieldPage } from './custom-field-page.tsx'
import { CustomFieldsPage } from './custom-fields-page.tsx'

const PATH = '/admin/custom-fields'

export async function customFieldPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { customFields, reference } = context

  const submissionOf = (entries: FieldEntries) => ({
    body: bodyOf(entries, reference),
    faults: defaultFaults(entries, reference),
    fieldAt,
    unique: 'key',
  })

  crudPages<FieldEntries, CustomField>(app, context, {
    path: PATH,
    permission: 'custom_fields.manage',
    list: ({ caller, frame }, { entries, faults }) => (
      <CustomFieldsPage
        {...frame}
        defined={customFields.list(caller, true)}
        isNew={entries !== undefined}
        entries={entries ?? emptyEntries}
        faults={faults}
      />
    ),
    create({ caller, form, back }, again) {
      const entries = readForm(customFieldSpecs, form)
      return submit({
        ...submissionOf(entries),
        schema: CustomFieldWrite,
        work: (body) => customFields.create(caller, body),
        again: again(entries),
        done: ({ label }) => back(PATH, `The field ${label} was added.`),
      })
    },
    find: ({ caller, request }) => customFields.get(caller, idOf(request, 'custom field')),
    edit: ({ frame }, field, { entries = entriesFor(field, reference), faults }) => (
      <CustomFieldPage {...frame} field={field} entries={entries} faults={faults} />
    ),
    update({ caller, form, back }, { id, entityType, key, fieldType }, again) {
      const entries = { ...readForm(customFieldSpecs, form), entityType, key, fieldType }
      return submit({
        ...submissionOf(entries),
        schema: CustomFieldReplace,
        work: (body) => customFields.update(caller, id, body),
        again: again(entries),
        done: ({ label }) => back(PATH, `The field ${label} was changed.`),
      })
    },
    remove: ({ caller }, { id }) => customFields.remove(caller, id),
    removed: () => 'The field was deleted, with all its values.',
  })
}
