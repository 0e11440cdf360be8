import { FaultSummary } from '../../components/fields.tsx'
import { formFields, PostForm } from '../../components/forms.tsx'
import { emptyForm, type Faults, formSpecs, type Typed } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'

export const setupSpecs = formSpecs({
  code: {
    id: 'code',
    label: 'Setup code',
    hint: 'In the server log, written at startup, or the value of SETUP_CODE if the operator set one.',
    required: true,
    verbatim: true,
  },
  username: {
    id: 'username',
    label: 'User name',
    hint: '3 to 20 letters, digits, dots, underscores or hyphens. You sign in with it.',
    required: true,
    verbatim: true,
    autocomplete: 'username',
  },
  displayName: {
    id: 'display-name',
    label: 'Your name',
    hint: 'How you are shown to others. Without it, the user name is used.',
    autocomplete: 'name',
  },
  password: {
    id: 'password',
    label: 'Password',
    hint: '8 characters or more. A few words in a row are easy to keep in mind.',
    type: 'password',
    required: true,
    autocomplete: 'new-password',
  },
})

interface Props {
  basePath: string
  csrf: string
  /** For whoever comes from another machine. */
  asksCode: boolean
  next: string | undefined
  typed?: Typed<typeof setupSpecs>
  faults?: Faults
}

export function SetupPage(props: Props) {
  const { basePath, csrf, asksCode, next, faults = {} } = props
  const typed = props.typed ?? emptyForm(setupSpecs)
  // A code that was wrong is looked up anew; the right one is not asked for twice.
  const code = 'code' in faults ? '' : typed.code
  const field = formFields(setupSpecs, { ...typed, code }, faults)
  return (
    <Layout title="Welcome – Paxlog" faults={faults} basePath={basePath} narrow>
      <div class="card">
        <h1>Welcome to Paxlog</h1>
        <p class="quiet">This instance is new. Create the account that owns it; others can be added later.</p>
        <FaultSummary faults={faults} fields={setupSpecs} />
        <PostForm action={`${basePath}/setup`} csrf={csrf} next={next} submit="Create the owner" plain>
          {asksCode && field('code')}
          {field('username')}
          {field('displayName')}
          {field('password')}
        </PostForm>
      </div>
    </Layout>
  )
}
