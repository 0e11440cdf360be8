import type { FastifyInstance } from 'fastify'
import { type CustomField, CustomFieldReplace, CustomFieldWrite } from '../../../../domain/custom-fields/contract.ts'
import { FaultSummary } from '../../components/fields.tsx'
import { DangerForm, formFields, PostForm } from '../../components/forms.tsx'
import { ListTable } from '../../components/lists.tsx'
import { Crumb, Section } from '../../components/section.tsx'
import type { Frame, PageContext } from '../../framework/context.ts'
import { crudPages, type FormState } from '../../framework/crud.ts'
import { type Faults, readForm, submit } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { idOf } from '../../framework/signed-in.ts'
import {
  bodyOf,
  customFieldSpecs,
  defaultFaults,
  emptyEntries,
  entityNames,
  entriesFor,
  type FieldEntries,
  fieldAt,
  typeNames,
} from './custom-field-form.ts'

const PATH = '/admin/custom-fields'

const defaultFormats: Record<string, string> = {
  boolean: ': yes or no',
  date: ': a date such as 2025-05-03',
  select: ': one of the options',
  'multi-select': ': some of the options, one per line',
  airport: ': a code such as EKCH',
  airline: ': a code such as SAS',
  aircraft: ': a code such as A320',
}
const anyDefaultFormat = ': yes or no, a date such as 2025-05-03, an option (one per line), or a code such as EKCH'

interface FormProps {
  action: string
  csrf: string
  entries: FieldEntries
  /** The type of an existing field cannot change, so its form shows only the inputs of that type. */
  isNew: boolean
  faults: Faults
}

function CustomFieldForm({ action, csrf, entries, isNew, faults }: FormProps) {
  const field = formFields(customFieldSpecs, entries, faults)
  const { fieldType, regex, minLength, maxLength, min, max } = entries
  const format = isNew ? anyDefaultFormat : (defaultFormats[fieldType] ?? '')
  // Stored limits are always shown.
  const isText = isNew || ['text', 'textarea'].includes(fieldType) || Boolean(regex || minLength || maxLength)
  const isNumber = isNew || fieldType === 'number' || Boolean(min || max)
  const hasOptions = isNew || fieldType === 'select' || fieldType === 'multi-select'
  return (
    <PostForm action={action} csrf={csrf} submit={isNew ? 'Add field' : 'Save'}>
      <div class="pairs">
        {field('label')}
        {field('description')}
      </div>
      {isNew && (
        <div class="pairs">
          {field('entityType')}
          {field('fieldType')}
          {field('key')}
        </div>
      )}
      <div class="pairs">
        {hasOptions && field('options', isNew ? { hint: 'One per line. Only for single and multiple choice.' } : {})}
        {field('defaultValue', { hint: `Used when no value is given${format}.` })}
      </div>
      {(isText || isNumber) && (
        <fieldset>
          <legend>Limits</legend>
          <p class="hint">Optional.{isNew && ' Pattern and length apply to text, minimum and maximum to numbers.'}</p>
          {isText && (
            <>
              {field('regex')}
              <div class="pairs">
                {field('minLength')}
                {field('maxLength')}
              </div>
            </>
          )}
          {isNumber && (
            <div class="pairs">
              {field('min')}
              {field('max')}
            </div>
          )}
        </fieldset>
      )}
      {field('order')}
      {field('required')}
      {field('active')}
    </PostForm>
  )
}

interface ListProps extends Frame, FormState<FieldEntries> {
  fields: readonly CustomField[]
}

function CustomFieldsPage({ fields, entries, faults, ...frame }: ListProps) {
  const action = frame.basePath + PATH
  return (
    <Layout {...frame} title="Custom fields – Paxlog" faults={faults} place="customFields">
      <h1>Custom fields</h1>
      <p class="quiet">
        Additional fields of flights and passengers. All users see them; public pages never show them.
      </p>
      <FaultSummary faults={faults} fields={customFieldSpecs} />
      {fields.length === 0 && <p class="card empty">No custom fields yet.</p>}
      {Object.entries(entityNames).map(([entity, name]) => {
        const rows = fields.filter(({ entityType }) => entityType === entity)
        if (rows.length === 0) return null
        return (
          <Section key={entity} id={entity} title={name}>
            <ListTable
              caption={`Custom fields of ${name.toLowerCase()}`}
              rows={rows}
              columns={[
                {
                  title: 'Field',
                  names: true,
                  cell: (field) => (
                    <>
                      <a href={`${action}/${field.id}`}>{field.label}</a>
                      {field.required && <span class="tag">Required</span>}
                      {!field.active && <span class="tag">Not in use</span>}
                      {field.description && <span class="beside">{field.description}</span>}
                      <code class="beside">{field.key}</code>
                    </>
                  ),
                },
                { title: 'Type', cell: ({ fieldType }) => typeNames[fieldType] },
              ]}
            />
          </Section>
        )
      })}
      <details class="new" open={entries !== undefined}>
        <summary class="button">New custom field</summary>
        <CustomFieldForm
          action={action}
          csrf={frame.viewer.csrf}
          entries={entries ?? emptyEntries}
          isNew
          faults={faults}
        />
      </details>
    </Layout>
  )
}

interface EditProps extends Frame {
  field: CustomField
  entries: FieldEntries
  faults: Faults
}

function CustomFieldPage({ field, entries, faults, ...frame }: EditProps) {
  const { basePath, viewer } = frame
  const action = `${basePath}${PATH}/${field.id}`
  return (
    <Layout {...frame} title={`${field.label} – Paxlog`} faults={faults} place="customFields" below>
      <Crumb href={basePath + PATH}>Custom fields</Crumb>
      <h1 dir="auto">{field.label}</h1>
      <p class="quiet">
        {entityNames[field.entityType]}, <code>{field.key}</code>, {typeNames[field.fieldType].toLowerCase()}. These
        cannot be changed.
      </p>
      <FaultSummary faults={faults} fields={customFieldSpecs} />
      <CustomFieldForm action={action} csrf={viewer.csrf} entries={entries} isNew={false} faults={faults} />
      <Section id="deletion" title="Delete">
        <DangerForm
          action={`${action}/delete`}
          csrf={viewer.csrf}
          summary={`Delete the field ${field.label}`}
          button="Delete this field"
        >
          <p>This also deletes its values on flights and passengers. To keep them, clear “In use” instead.</p>
        </DangerForm>
      </Section>
    </Layout>
  )
}

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
    list: ({ caller, frame }, state) => (
      <CustomFieldsPage {...frame} {...state} fields={customFields.list(caller, true)} />
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
    removed: () => 'The field and its values were deleted.',
  })
}
