import type { CustomField } from '../../../domain/custom-fields/contract.ts'
import type { Frame } from '../context.ts'
import type { FieldEntries } from '../custom-field-form.ts'
import { CustomFieldForm, customFieldFields, entityWords, typeWords } from './custom-field-form.tsx'
import { FaultSummary, type Faults, Hidden } from './fields.tsx'
import { Layout } from './layout.tsx'

interface Props extends Frame {
  field: CustomField
  entries: FieldEntries
  faults: Faults
}

export function CustomFieldPage({ field, entries, faults, ...frame }: Props) {
  const { basePath, viewer } = frame
  const faulty = Object.keys(faults).length > 0
  const action = `${basePath}/admin/custom-fields/${field.id}`
  return (
    <Layout {...frame} title={`${faulty ? 'Error: ' : ''}${field.label} – Paxlog`} place="customFields" below>
      <p class="crumb">
        <a href={`${basePath}/admin/custom-fields`}>Custom fields</a>
      </p>
      <h1>{field.label}</h1>
      <p class="quiet">
        {entityWords[field.entityType]}, <code>{field.key}</code>, {typeWords[field.fieldType].toLowerCase()}. These
        three cannot change.
      </p>
      <FaultSummary faults={faults} fields={customFieldFields} />
      <CustomFieldForm
        action={action}
        csrf={viewer.csrf}
        entries={entries}
        isNew={false}
        submit="Save"
        faults={faults}
      />
      <section aria-labelledby="deletion">
        <h2 id="deletion">Delete</h2>
        <details class="danger">
          <summary class="fold bad">Delete the field {field.label}</summary>
          <form method="post" action={`${action}/delete`}>
            <Hidden csrf={viewer.csrf} />
            <p>All its values on flights and passengers go with it. To keep them, take the field out of use instead.</p>
            <button class="danger" type="submit">
              Delete this field
            </button>
          </form>
        </details>
      </section>
    </Layout>
  )
}
