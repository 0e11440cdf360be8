import type { CustomField } from '../../../../domain/custom-fields/contract.ts'
import { FaultSummary } from '../../components/fields.tsx'
import { ListTable } from '../../components/lists.tsx'
import { Section } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Faults } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { CustomFieldForm } from './custom-field-fields.tsx'
import { customFieldSpecs, entityWords, type FieldEntries, typeWords } from './custom-field-form.ts'

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
}: Pick<Props, 'basePath'> & { entity: string; fields: readonly CustomField[] }) {
  return (
    <ListTable
      caption={`Custom fields of ${entity.toLowerCase()}`}
      rows={fields}
      columns={[
        {
          title: 'Field',
          names: true,
          cell: (field) => (
            <>
              <a href={`${basePath}/admin/custom-fields/${field.id}`}>{field.label}</a>
              {field.required && <span class="tag">Required</span>}
              {!field.active && <span class="tag">Not in use</span>}
              {field.description && <span class="beside">{field.description}</span>}
              <code class="beside">{field.key}</code>
            </>
          ),
        },
        { title: 'Type', cell: ({ fieldType }) => typeWords[fieldType] },
      ]}
    />
  )
}

export function CustomFieldsPage({ defined, isNew, entries, faults, ...frame }: Props) {
  const { basePath, viewer } = frame
  return (
    <Layout {...frame} title="Custom fields – Paxlog" faults={faults} place="customFields">
      <h1>Custom fields</h1>
      <p class="quiet">
        What this instance keeps of flights and passengers beside the usual. They are there for everybody, and never on
        a public page.
      </p>
      <FaultSummary faults={faults} fields={customFieldSpecs} />
      {defined.length === 0 && <p class="card empty">There are no custom fields yet.</p>}
      {Object.entries(entityWords).map(([entity, name]) => {
        const fields = defined.filter(({ entityType }) => entityType === entity)
        if (fields.length === 0) return null
        return (
          <Section key={entity} id={entity} title={name}>
            <FieldTable basePath={basePath} entity={name} fields={fields} />
          </Section>
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
