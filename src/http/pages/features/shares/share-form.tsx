import { ChoiceGroups, formFields, PostForm } from '../../components/forms.tsx'
import type { Frame } from '../../framework/context.ts'
import { type FieldErrors, type FormValues, formSpecs } from '../../framework/forms.ts'
import { useTexts } from '../../framework/localization.ts'
import type { PageTexts } from '../../texts/languages.ts'

type FormTexts = PageTexts['shares']['form']

export const shareSpecs = (t: FormTexts) =>
  formSpecs({
    slug: { id: 'slug', label: t.slug, maxLength: 200, verbatim: true },
    shown: { id: 'shown', label: t.shown, kind: 'boxes', sent: 'show' },
    dateFrom: { id: 'date-from', label: t.dateFrom, type: 'date' },
    dateTo: { id: 'date-to', label: t.dateTo, type: 'date' },
    expires: {
      id: 'expires',
      label: t.expires,
      hint: t.expiresHint,
      type: 'date',
    },
  })

export type ShareEntries = FormValues<ReturnType<typeof shareSpecs>>

const choicesOf = ({ title, choices }: FormTexts['parts' | 'details']) => ({
  title,
  choices: Object.entries(choices).map(([value, words]) => ({ value, words })),
})

interface FormProps {
  action: string
  frame: Frame
  entries: ShareEntries
  fieldErrors: FieldErrors
  isNew: boolean
}

export function ShareForm({ action, frame, entries, fieldErrors, isNew }: FormProps) {
  const t = useTexts().shares.form
  const field = formFields(shareSpecs(t), entries, fieldErrors)
  const slugParts = { path: `${frame.basePath}/share/`, code: (text: string) => <code>{text}</code> }
  return (
    <PostForm action={action} csrf={frame.viewer.csrf} submit={isNew ? t.create : t.save}>
      {field('slug', { hint: isNew ? t.newSlugHint(slugParts) : t.slugHint(slugParts) })}
      <fieldset>
        <legend>{t.shown}</legend>
        <p class="hint">{t.shownHint}</p>
        <ChoiceGroups name="show" groups={[t.parts, t.details].map(choicesOf)} chosen={new Set(entries.shown)} />
      </fieldset>
      <fieldset>
        <legend>{t.flights}</legend>
        <p class="hint">{t.flightsHint}</p>
        <div class="columns">
          {field('dateFrom')}
          {field('dateTo')}
        </div>
      </fieldset>
      {field('expires')}
    </PostForm>
  )
}
