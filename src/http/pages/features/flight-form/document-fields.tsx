import { Field, TextArea } from '../../components/fields.tsx'
import { Form } from '../../components/forms.tsx'
import { assets } from '../../framework/assets.ts'
import { useScriptTexts, useTexts } from '../../framework/localization.ts'

export const DOCUMENT_PATH = '/flights/new/document'

/** The fields belong to this form, wherever they stand on the page. */
const FORM_ID = 'document'

interface FormProps {
  basePath: string
  csrf: string
}

/** Before the fields, so that the CSRF token is sent before the file. */
export const DocumentForm = ({ basePath, csrf }: FormProps) => (
  <Form
    id={FORM_ID}
    method="post"
    action={basePath + DOCUMENT_PATH}
    encType="multipart/form-data"
    hidden={{ csrf }}
    noValidate
  />
)

const ACCEPTED = 'image/*,.pkpass,application/vnd.apple.pkpass,.eml,message/rfc822,.ics,text/calendar,.html,.json,.txt'

interface FieldsProps {
  basePath: string
  text?: string
  fieldError?: string | undefined
}

/** Fields of the form above. A script adds the camera, photos and dropped files. */
export function DocumentFields({ basePath, text = '', fieldError }: FieldsProps) {
  const t = useTexts().travelDocuments
  return (
    <div
      data-scanner={basePath + assets.scanner.path}
      data-wasm={basePath + assets.scannerWasm.path}
      data-texts={useScriptTexts('travelDocument')}
    >
      <button type="button" class="scan" hidden>
        {t.scan}
      </button>
      <Field
        id="document-file"
        name="file"
        label={t.file}
        fieldError={fieldError}
        input={{ type: 'file', form: FORM_ID, accept: ACCEPTED }}
      />
      <details open={text !== ''}>
        <summary class="fold">{t.pasteText}</summary>
        <TextArea id="document-text" name="text" label={t.text} area={{ rows: 3, form: FORM_ID }} value={text} />
      </details>
      <p class="hint" role="status" />
      <p>
        <button type="submit" form={FORM_ID}>
          {t.read}
        </button>
      </p>
    </div>
  )
}
