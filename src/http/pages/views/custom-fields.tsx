import type { CustomField } from '../../../domain/custom-fields/contract.ts'
import type { Frame } from '../context.ts'
import type { FieldEntries } from '../custom-field-form.ts'
import { CustomFieldForm, customFieldFields, entityWords, typeWords } from './custom-field-form.tsx'
import { FaultSummary, type Faults } from './fields.tsx'
import { Layout } from './layout.tsx'

interface Props extends Frame {
  defined: readonly CustomField[]
  isNew: boolean
  entries: FieldEntries
  faults: Faults
}

function FieldTable({
  basePath,
  entity,
  fields,
}: {
  basePath: string
  entity: string
  fields: readonly CustomField[]
}) {
  return (
    <div class="card flush">
      <table class="list">
        <caption class="unseen">Custom fields of {entity.toLowerCase()}</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Type</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field.id}>
              <th scope="row">
                <a href={`${basePath}/admin/custom-fields/${field.id}`}>{field.label}</a>
                {field.required && <span class="tag">Required</span>}
                {!field.active && <span class="tag">Not in use</span>}
                {field.description && <span class="beside">{field.description}</span>}
                <code class="beside">{field.key}</code>
              </th>
              <td>{typeWords[field.fieldType]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function CustomFieldsPage({ defined, isNew, entries, faults, ...frame }: Props) {
  const { basePath, viewer } = frame
  const faulty = Object.keys(faults).length > 0
  return (
    <Layout {...frame} title={`${faulty ? 'Error: ' : ''}Custom fields – Paxlog`} place="customFields">
      <h1>Custom fields</h1>
      <p class="quiet">
        What this instance keeps of flights and passengers beside the usual. They are there for everybody, and never on
        a public page.
      </p>
      <FaultSummary faults={faults} fields={customFieldFields} />
      {defined.length === 0 && <p class="card empty">There are no custom fields yet.</p>}
      {Object.entries(entityWords).map(([entity, name]) => {
        const fields = defined.filter(({ entityType }) => entityType === entity)
        if (fields.length === 0) return null
        return (
          <section key={entity} aria-labelledby={entity}>
            <h2 id={entity}>{name}</h2>
            <FieldTable basePath={basePath} entity={name} fields={fields} />
          </section>
        )
      })}
      <details class="new" open={isNew}>
        <summary class="button">New custom field</summary>
        <CustomFieldForm
          action={`${basePath}/admin/custom-fields`}
          csrf={viewer.csrf}
          entries={entries}
          isNew
          submit="Add the field"
          faults={faults}
        />
      </details>
    </Layout>
  )
}
