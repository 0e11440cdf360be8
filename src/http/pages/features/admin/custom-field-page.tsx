import type { CustomField } from '../../../../domain/custom-fields/contract.ts'
import { FaultSummary } from '../../components/fields.tsx'
import { DangerForm } from '../../components/forms.tsx'
import { Crumb, Section } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Faults } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { CustomFieldForm } from './custom-field-fields.tsx'
import { customFieldSpecs, entityWords, type FieldEntries, typeWords } from './custom-field-form.ts'

interface Props extends Frame {
  field: CustomField
  entries: FieldEntries
  faults: Faults
}

export function CustomFieldPage({ field, entries, faults, ...frame }: Props) {
  const { basePath, viewer } = frame
  const action = `${basePath}/admin/custom-fields/${field.id}`
  return (
    <Layout {...frame} title={`${field.label} – Paxlog`} faults={faults} place="customFields" below>
      <Crumb href={`${basePath}/admin/custom-fields`}>Custom fields</Crumb>
      <h1 dir="auto">{field.label}</h1>
      <p class="quiet">
        {entityWords[field.entityType]}, <code>{field.key}</code>, {typeWords[field.fieldType].toLowerCase()}. These
        three cannot change.
      </p>
      <FaultSummary faults={faults} fields={customFieldSpecs} />
      <CustomFieldForm
        action={action}
        csrf={viewer.csrf}
        entries={entries}
        isNew={false}
        submit="Save"
        faults={faults}
      />
      <Section id="deletion" title="Delete">
        <DangerForm
          action={`${action}/delete`}
          csrf={viewer.csrf}
          summary={`Delete the field ${field.label}`}
          button="Delete this field"
        >
          <p>All its values on flights and passengers go with it. To keep them, take the field out of use instead.</p>
        </DangerForm>
      </Section>
    </Layout>
  )
}
