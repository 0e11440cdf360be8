import type { FastifyInstance } from 'fastify'
import { type CustomField, CustomFieldReplace, CustomFieldWrite } from '../../../../domain/custom-fields/contract.ts'
import { ErrorSummary } from '../../components/fields.tsx'
import { DangerForm, formFields, PostForm } from '../../components/forms.tsx'
import { ListTable } from '../../components/lists.tsx'
import { Crumb, Section } from '../../components/section.tsx'
import type { Frame, PageContext } from '../../framework/context.ts'
import { crudPages, type FormState } from '../../framework/crud.ts'
import { type FieldErrors, readForm, submit } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { idOf } from '../../framework/signed-in.ts'
import {
  bodyOf,
  customFieldSpecs,
  defaultErrors,
  emptyEntries,
  entriesFor,
  type FieldEntries,
  type FieldTexts,
  fieldAt,
} from './custom-field-form.ts'

const PATH = '/admin/custom-fields'

interface FormProps {
  action: string
  csrf: string
  entries: FieldEntries
  /** The type of an existing field cannot change, so its form shows only the inputs of that type. */
  isNew: boolean
  fieldErrors: FieldErrors
}

function CustomFieldForm({ action, csrf, entries, isNew, fieldErrors }: FormProps) {
  const t = useTexts().admin.customFields
  const field = formFields(customFieldSpecs(t), entries, fieldErrors)
  const { fieldType, regex, minLength, maxLength, min, max } = entries
  const defaultHint = isNew ? t.newDefaultHint : t.defaultHints[fieldType as CustomField['fieldType']]
  // Stored limits are always shown.
  const isText = isNew || ['text', 'textarea'].includes(fieldType) || Boolean(regex || minLength || maxLength)
  const isNumber = isNew || fieldType === 'number' || Boolean(min || max)
  const hasOptions = isNew || fieldType === 'select' || fieldType === 'multi-select'
  return (
    <PostForm action={action} csrf={csrf} submit={isNew ? t.add : t.save}>
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
        {hasOptions && field('options', isNew ? { hint: t.newOptionsHint } : {})}
        {field('defaultValue', { hint: defaultHint })}
      </div>
      {(isText || isNumber) && (
        <fieldset>
          <legend>{t.limits}</legend>
          <p class="hint">{isNew ? t.newLimitsHint : t.limitsHint}</p>
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

function CustomFieldsPage({ fields, entries, fieldErrors, ...frame }: ListProps) {
  const t = useTexts().admin.customFields
  const action = frame.basePath + PATH
  return (
    <Layout {...frame} title={t.title} fieldErrors={fieldErrors} place="customFields">
      <h1>{t.title}</h1>
      <p class="quiet">{t.introduction}</p>
      <ErrorSummary fieldErrors={fieldErrors} fields={customFieldSpecs(t)} />
      {fields.length === 0 && <p class="card empty">{t.empty}</p>}
      {(['flight', 'flight_passenger'] as const).map((entity) => {
        const rows = fields.filter(({ entityType }) => entityType === entity)
        if (rows.length === 0) return null
        return (
          <Section key={entity} id={entity} title={t.entities[entity]}>
            <ListTable
              caption={t.captions[entity]}
              rows={rows}
              columns={[
                {
                  title: t.field,
                  names: true,
                  cell: (field) => (
                    <>
                      <a href={`${action}/${field.id}`}>{field.label}</a>
                      {field.required && <span class="tag">{t.required}</span>}
                      {!field.active && <span class="tag">{t.notInUse}</span>}
                      {field.description && <span class="beside">{field.description}</span>}
                      <code class="beside">{field.key}</code>
                    </>
                  ),
                },
                { title: t.type, cell: ({ fieldType }) => t.types[fieldType] },
              ]}
            />
          </Section>
        )
      })}
      <details class="new" open={entries !== undefined}>
        <summary class={fields.length === 0 ? 'button primary' : 'button'}>{t.newField}</summary>
        <CustomFieldForm
          action={action}
          csrf={frame.viewer.csrf}
          entries={entries ?? emptyEntries(t)}
          isNew
          fieldErrors={fieldErrors}
        />
      </details>
    </Layout>
  )
}

interface EditProps extends Frame {
  field: CustomField
  entries: FieldEntries
  fieldErrors: FieldErrors
}

function CustomFieldPage({ field, entries, fieldErrors, ...frame }: EditProps) {
  const { basePath, viewer } = frame
  const t = useTexts().admin.customFields
  const action = `${basePath}${PATH}/${field.id}`
  return (
    <Layout {...frame} title={field.label} fieldErrors={fieldErrors} place="customFields" below>
      <Crumb href={basePath + PATH}>{t.title}</Crumb>
      <h1 dir="auto">{field.label}</h1>
      <p class="quiet">
        {t.fixed({
          entity: t.entities[field.entityType],
          type: t.types[field.fieldType],
          key: field.key,
          code: (text) => <code>{text}</code>,
        })}
      </p>
      <ErrorSummary fieldErrors={fieldErrors} fields={customFieldSpecs(t)} />
      <CustomFieldForm action={action} csrf={viewer.csrf} entries={entries} isNew={false} fieldErrors={fieldErrors} />
      <Section id="deletion" title={t.deletion}>
        <DangerForm
          action={`${action}/delete`}
          csrf={viewer.csrf}
          summary={t.delete({ label: field.label })}
          button={t.deleteThis}
        >
          <p>{t.deleteWarning}</p>
        </DangerForm>
      </Section>
    </Layout>
  )
}

export async function customFieldPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { customFields, reference } = context

  const submissionOf = (entries: FieldEntries, t: FieldTexts) => ({
    body: bodyOf(entries, reference, t),
    fieldErrors: defaultErrors(entries, reference, t),
    fieldAt,
    unique: 'key',
  })

  crudPages<FieldEntries, CustomField>(app, context, {
    path: PATH,
    permission: 'custom_fields.manage',
    list: ({ caller, frame }, state) => (
      <CustomFieldsPage {...frame} {...state} fields={customFields.list(caller, true)} />
    ),
    create({ caller, form, texts, back }, again) {
      const t = texts.admin.customFields
      const entries = readForm(customFieldSpecs(t), form)
      return submit({
        texts,
        ...submissionOf(entries, t),
        schema: CustomFieldWrite,
        work: (body) => customFields.create(caller, body),
        again: again(entries),
        done: ({ label }) => back(PATH, t.added({ label })),
      })
    },
    find: ({ caller, request }) => customFields.get(caller, idOf(request, 'custom field')),
    edit: ({ frame, texts }, field, { entries, fieldErrors }) => (
      <CustomFieldPage
        {...frame}
        field={field}
        entries={entries ?? entriesFor(field, reference, texts.admin.customFields)}
        fieldErrors={fieldErrors}
      />
    ),
    update({ caller, form, texts, back }, { id, entityType, key, fieldType }, again) {
      const t = texts.admin.customFields
      const entries = { ...readForm(customFieldSpecs(t), form), entityType, key, fieldType }
      return submit({
        texts,
        ...submissionOf(entries, t),
        schema: CustomFieldReplace,
        work: (body) => customFields.update(caller, id, body),
        again: again(entries),
        done: ({ label }) => back(PATH, t.changed({ label })),
      })
    },
    remove: ({ caller }, { id }) => customFields.remove(caller, id),
    removed: (texts) => texts.admin.customFields.deleted,
  })
}
