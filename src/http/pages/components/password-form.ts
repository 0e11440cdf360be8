import { formSpecs } from '../framework/forms.ts'

export const passwordSpecs = formSpecs({
  password: {
    id: 'new-password',
    label: ({ forms }) => forms.newPassword,
    hint: ({ forms }) => forms.passwordHint,
    type: 'password',
    required: true,
    autocomplete: 'new-password',
  },
})
