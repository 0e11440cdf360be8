import { FaultSummary } from '../../components/fields.tsx'
import { DangerForm, formFields, PostForm } from '../../components/forms.tsx'
import type { LookupKind, Option } from '../../components/lookup.ts'
import { LookupField } from '../../components/lookup-field.tsx'
import { countryOptions, type ReferenceKindName } from '../../components/reference-form.ts'
import { Crumb } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Faults, FieldSpecs, Typed } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'

interface FormProps<Specs extends FieldSpecs> extends Frame {
  name: ReferenceKindName
  /** Of the list. */
  title: string
  noun: string
  specs: Specs
  entries: Typed<Specs>
  faults: Faults
}

function Fields<Specs extends FieldSpecs>({
  specs,
  entries,
  faults,
}: Pick<FormProps<Specs>, 'specs' | 'entries' | 'faults'>) {
  const field = formFields(specs, entries, faults)
  return <>{Object.keys(specs).map((name) => field(name, name === 'country' ? { options: countryOptions() } : {}))}</>
}

export function NewReferencePage<Specs extends FieldSpecs>(props: FormProps<Specs> & { next: string | undefined }) {
  const { name, title, noun, specs, entries, faults, next, ...frame } = props
  const { basePath, viewer } = frame
  return (
    <Layout {...frame} title={`New ${noun} – Paxlog`} faults={faults} place="reference" below>
      <Crumb href={`${basePath}/admin/reference/${name}`}>{title}</Crumb>
      <h1>New {noun}</h1>
      <FaultSummary faults={faults} fields={specs} />
      <PostForm
        action={`${basePath}/admin/reference/${name}`}
        csrf={viewer.csrf}
        next={next}
        submit={`Make the ${noun}`}
      >
        <Fields specs={specs} entries={entries} faults={faults} />
      </PostForm>
    </Layout>
  )
}

interface RowProps<Specs extends FieldSpecs> extends FormProps<Specs> {
  kind: LookupKind
  row: { id: number; name: string; custom: boolean }
  merge: { form: URLSearchParams; faults: Faults; options?: readonly Option[] } | undefined
}

function MergeForm({
  action,
  noun,
  kind,
  merge,
  ...frame
}: Frame & Pick<RowProps<FieldSpecs>, 'noun' | 'kind' | 'merge'> & { action: string }) {
  const { basePath, viewer } = frame
  return (
    <DangerForm
      action={action}
      csrf={viewer.csrf}
      summary={`Merge into another ${noun}`}
      button="Merge"
      open={merge !== undefined}
    >
      <p>
        Every flight and custom value that uses this {noun} gets the other one, and this one is deleted. This cannot be
        taken back.
      </p>
      <LookupField
        basePath={basePath}
        kind={kind}
        name="into"
        label="The one that stays"
        hint="Its code or name."
        form={merge?.form ?? new URLSearchParams()}
        fault={merge?.faults.into}
        options={merge?.options}
        required
      />
    </DangerForm>
  )
}

export function ReferenceRowPage<Specs extends FieldSpecs>(props: RowProps<Specs>) {
  const { name, title, noun, kind, specs, row, entries, faults, merge, ...frame } = props
  const { basePath, viewer } = frame
  const action = `${basePath}/admin/reference/${name}/${row.id}`
  const all = { ...faults, ...merge?.faults }
  return (
    <Layout {...frame} title={`${row.name} – Paxlog`} faults={all} place="reference" below>
      <Crumb href={`${basePath}/admin/reference/${name}`}>{title}</Crumb>
      <h1 dir="auto">{row.name}</h1>
      <FaultSummary faults={all} fields={{ ...specs, into: { id: 'into', label: 'The one that stays' } }} />
      {row.custom ? (
        <>
          <PostForm action={action} csrf={viewer.csrf} submit="Save">
            <Fields specs={specs} entries={entries} faults={faults} />
          </PostForm>
          <div class="folds removal">
            <MergeForm {...frame} action={`${action}/merge`} noun={noun} kind={kind} merge={merge} />
            <DangerForm
              action={`${action}/delete`}
              csrf={viewer.csrf}
              summary={`Delete this ${noun}`}
              button={`Delete this ${noun}`}
            >
              <p>Only one that no flight and no custom value uses can be deleted; others can be merged.</p>
            </DangerForm>
          </div>
        </>
      ) : (
        <p class="card">This {noun} is part of the shipped data, which only an update changes.</p>
      )}
    </Layout>
  )
}
