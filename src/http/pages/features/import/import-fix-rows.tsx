import type { CellEdits } from '../../../../domain/transfer/formats/row.ts'
import { type FixableRow, type ImportPreview, MAX_FIXABLE_LENGTH } from '../../../../domain/transfer/preview.ts'
import { Field } from '../../components/fields.tsx'
import { PostForm } from '../../components/forms.tsx'
import type { Frame } from '../../framework/context.ts'
import { fieldOf } from '../../framework/form.ts'
import type { FieldErrors } from '../../framework/forms.ts'
import { useTexts } from '../../framework/localization.ts'
import { messageText } from '../../framework/service-messages.ts'
import { CHECK_PATH, type ImportTexts } from './import-steps.ts'

/** More are a reason to correct the file. */
const MAX_EDITED_ROWS = 1_000

const cellField = (row: number, column: number) => `cell-${row}-${column}`

/** Adds the changed cells of the shown rows. */
export function readEdits(
  form: URLSearchParams,
  { fixable }: ImportPreview,
  edits: CellEdits,
  t: ImportTexts,
): { edits: CellEdits; fieldErrors: FieldErrors } {
  const fieldErrors: FieldErrors = {}
  const changed: Record<number, Record<number, string>> = { ...edits }
  for (const { row, cells } of fixable) {
    const changes = cells.flatMap(({ column, value }): [number, string][] => {
      const name = cellField(row, column)
      if (!form.has(name)) return []
      const typed = fieldOf(form, name).trim()
      if (typed.length > MAX_FIXABLE_LENGTH) fieldErrors[name] = t.cellTooLong({ count: MAX_FIXABLE_LENGTH })
      return typed === value ? [] : [[column, typed]]
    })
    if (changes.length > 0) changed[row] = { ...changed[row], ...Object.fromEntries(changes) }
  }
  if (Object.keys(changed).length > MAX_EDITED_ROWS) fieldErrors.form = t.tooManyFixed
  return { edits: changed, fieldErrors }
}

/** The labels of the fields with an error. */
export function cellSpecs({ fixable }: ImportPreview, fieldErrors: FieldErrors) {
  const specs = fixable.flatMap(({ row, cells }) =>
    cells.map(({ column, header }) => [cellField(row, column), { id: cellField(row, column), label: header }] as const),
  )
  return Object.fromEntries(specs.filter(([name]) => fieldErrors[name] !== undefined))
}

interface Props extends Pick<Frame, 'basePath' | 'viewer'> {
  rows: readonly FixableRow[]
  form: URLSearchParams
  fieldErrors: FieldErrors
}

/** The first rejected rows, with their problems and values. */
export function FixRows({ rows, form, fieldErrors, basePath, viewer }: Props) {
  const texts = useTexts()
  const t = texts.importFlights
  return (
    <PostForm
      action={basePath + CHECK_PATH}
      csrf={viewer.csrf}
      plain
      submit={
        <button type="submit" name="do" value="fix">
          {t.tryAgain}
        </button>
      }
    >
      {rows.map(({ row, line, reasons, cells }) => (
        <fieldset key={row} class="fix" aria-describedby={`problems-${row}`}>
          <legend>{t.lineNumber({ line })}</legend>
          <ul id={`problems-${row}`} class="problems">
            {reasons.map((reason) => (
              <li key={reason} dir="auto">
                {messageText(reason, texts)}
              </li>
            ))}
          </ul>
          <div class="cells">
            {cells.map(({ column, header, value }) => {
              const name = cellField(row, column)
              return (
                <Field
                  key={column}
                  id={name}
                  name={name}
                  label={header === '' ? t.columnNumber({ number: column + 1 }) : header}
                  fieldError={fieldErrors[name]}
                  input={{
                    type: 'text',
                    value: form.get(name) ?? value,
                    maxLength: MAX_FIXABLE_LENGTH,
                    autocomplete: 'off',
                    dir: 'auto',
                  }}
                />
              )
            })}
          </div>
        </fieldset>
      ))}
    </PostForm>
  )
}
