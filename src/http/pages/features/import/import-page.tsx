import { formatNames, formats } from '../../../../domain/transfer/formats/registry.ts'
import { FaultSummary, Field } from '../../components/fields.tsx'
import { formFields, PostForm } from '../../components/forms.tsx'
import { Crumb } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import { type Faults, formSpecs, type Typed } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'

export const fileSpecs = formSpecs({
  file: { id: 'file', label: 'File' },
  format: {
    id: 'format',
    label: 'Where it comes from',
    hint: 'Only for a file that is not recognised by itself.',
    kind: 'select',
    options: [
      { value: 'auto', label: 'Find out from the file' },
      ...formatNames.map((name) => ({ value: name, label: formats[name].title })),
    ],
  },
})

export type FileEntries = Typed<typeof fileSpecs>

interface Props extends Frame {
  entries: FileEntries
  faults: Faults
  /** Whether a file was sent already that waits for its second step. */
  waits: boolean
}

export function ImportPage({ entries, faults, waits, ...frame }: Props) {
  const { basePath, viewer } = frame
  const field = formFields(fileSpecs, entries, faults)
  const names = formatNames.map((name) => formats[name].title).join(', ')
  return (
    <Layout {...frame} title="Import flights – Paxlog" faults={faults} place="home" below>
      <Crumb href={basePath || '/'}>Flights</Crumb>
      <h1>Import flights</h1>
      <FaultSummary faults={faults} fields={fileSpecs} />
      {waits && (
        <p class="card">
          A file that you sent waits to be imported. <a href={`${basePath}/import/check`}>Go on with it</a>, or choose
          another one.
        </p>
      )}
      <PostForm
        action={`${basePath}/import`}
        csrf={viewer.csrf}
        submit="Look at the file"
        encType="multipart/form-data"
      >
        <Field
          {...fileSpecs.file}
          name="file"
          hint={`Files of these can be read: ${names}.`}
          fault={faults.file}
          input={{ type: 'file', required: true }}
        />
        <details class="more-choices" open={faults.format !== undefined || entries.format !== 'auto'}>
          <summary class="fold">The kind of file</summary>
          {field('format')}
        </details>
        <p class="quiet">Next you see what will happen. Nothing is kept before you say so.</p>
      </PostForm>
      {viewer.permissions.has('flight.export.own') && (
        <p class="quiet">
          The other way round: <a href={`${basePath}/export`}>export your flights</a>.
        </p>
      )}
    </Layout>
  )
}
