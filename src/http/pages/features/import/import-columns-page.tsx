import {
  type CsvColumns,
  type CsvField,
  csvFields,
  dateFormats,
  requiredFields,
} from '../../../../domain/transfer/formats/csv-fields.ts'
import { chosenHeaders, type TableSample } from '../../../../domain/transfer/table-sample.ts'
import { ErrorSummary, SelectField } from '../../components/fields.tsx'
import { PostForm } from '../../components/forms.tsx'
import { Crumb } from '../../components/section.tsx'
import { assets } from '../../framework/assets.ts'
import type { Frame } from '../../framework/context.ts'
import { fieldOf } from '../../framework/form.ts'
import type { FieldErrors } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { ProgressBar } from './import-progress.tsx'
import { CHECK_PATH, IMPORT_PATH, type ImportNote, type ImportTexts } from './import-steps.ts'

const columnField = (field: CsvField) => `column-${field}`
const DATE_FORMAT_FIELD = 'dateFormat'

const isRequired = (field: CsvField) => requiredFields.some((required) => required === field)

type Mapping = Pick<ImportNote, 'columns' | 'dateFormat'>

/** Reads the form. Options are places of columns, because headers can be long. */
export function readMapping(form: URLSearchParams, { headers }: TableSample, t: ImportTexts) {
  const fieldErrors: FieldErrors = {}
  const columns = Object.fromEntries(
    csvFields.map((field) => [field, headers[Number(fieldOf(form, columnField(field)) || Number.NaN)] ?? null]),
  ) as CsvColumns
  for (const field of requiredFields) if (columns[field] === null) fieldErrors[columnField(field)] = t.columnNeeded
  const dateFormat = dateFormats.find((format) => format === fieldOf(form, DATE_FORMAT_FIELD))
  return { mapping: { columns, dateFormat } satisfies Mapping, fieldErrors }
}

export const dateFormatError = (t: ImportTexts): FieldErrors => ({ [DATE_FORMAT_FIELD]: t.dateFormatNeeded })

interface Props extends Frame {
  note: ImportNote
  sample: TableSample
  fieldErrors: FieldErrors
}

function SampleTable({ sample: { headers, rows } }: Pick<Props, 'sample'>) {
  const t = useTexts().importFlights
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="card flush sample" tabIndex={0} aria-label={t.firstRows}>
      <table>
        <caption>{t.firstRows}</caption>
        <thead>
          <tr>
            {headers.map((header, place) => (
              <th key={place} scope="col" dir="auto">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            <tr key={index}>
              {headers.map((_, place) => (
                <td key={place} dir="auto">
                  {cells[place]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Headers without a name cannot be chosen, and of equal ones the first counts. */
function columnOptions({ headers, rows }: TableSample, t: ImportTexts) {
  const places = headers.flatMap((header, place) => (header !== '' && headers.indexOf(header) === place ? place : []))
  return places.map((place) => {
    const example = rows.map((cells) => cells[place] ?? '').find((cell) => cell !== '')
    const header = [...headers[place]!].slice(0, 60).join('')
    const label = example ? t.columnWithExample({ header, example: [...example].slice(0, 30).join('') }) : header
    return { value: String(place), label }
  })
}

export function ImportColumnsPage(props: Props) {
  const t = useTexts().importFlights
  const { note, sample, fieldErrors, basePath, viewer } = props
  const { columns = {}, dateFormat = '', unclear = [] } = note
  const chosen = chosenHeaders(sample, columns)
  const options = columnOptions(sample, t)
  const labels = t.fields
  const specs = {
    ...Object.fromEntries(
      csvFields.map((field) => [columnField(field), { id: columnField(field), label: labels[field] }]),
    ),
    [DATE_FORMAT_FIELD]: { id: DATE_FORMAT_FIELD, label: t.dateFormat },
    file: { id: 'content', label: t.file },
  }
  return (
    <Layout
      {...props}
      title={t.columnsTitle}
      fieldErrors={fieldErrors}
      place="home"
      below
      scripts={[assets.importProgress]}
    >
      <Crumb href={basePath + IMPORT_PATH}>{t.import}</Crumb>
      <h1>{t.columnsTitle}</h1>
      <ErrorSummary fieldErrors={fieldErrors} fields={specs} />
      <p>{unclear.includes('dateFormat') ? t.datesUnclear : t.columnsHint}</p>
      <SampleTable sample={sample} />
      {sample.moreColumns > 0 && <p class="quiet">{t.moreColumns({ count: sample.moreColumns })}</p>}
      <PostForm
        action={basePath + CHECK_PATH}
        csrf={viewer.csrf}
        submit={
          <>
            <button class="primary" type="submit" name="do" value="map">
              {t.preview}
            </button>{' '}
            <button type="submit" name="do" value="discard">
              {t.discard}
            </button>
          </>
        }
      >
        <div class="mapping">
          {csvFields.map((field) => {
            const name = columnField(field)
            const place = chosen[field] == null ? -1 : sample.headers.indexOf(chosen[field])
            return (
              <SelectField
                key={field}
                id={name}
                name={name}
                label={isRequired(field) ? t.requiredField({ field: labels[field] }) : labels[field]}
                fieldError={fieldErrors[name]}
                value={place < 0 ? '' : String(place)}
                options={[{ value: '', label: isRequired(field) ? t.chooseOne : t.notInFile }, ...options]}
                select={{ required: isRequired(field) }}
              />
            )
          })}
          <SelectField
            id={DATE_FORMAT_FIELD}
            name={DATE_FORMAT_FIELD}
            label={t.dateFormat}
            fieldError={fieldErrors[DATE_FORMAT_FIELD]}
            value={dateFormat}
            options={[
              { value: '', label: t.detect },
              ...dateFormats.map((value) => ({ value, label: t.dateFormats[value] })),
            ]}
          />
        </div>
        <ProgressBar basePath={basePath} />
        <p class="quiet">{t.nothingSaved}</p>
      </PostForm>
    </Layout>
  )
}
