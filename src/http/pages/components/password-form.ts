import { formSpecs } from '../framework/forms.ts'

export const passwordSpecs = formSpecs({
  password: {
    id: 'new-password',
    label: 'New password',
    hint: '8 characters or more.',
    type: 'password',
    required: true,
    autocomplete: 'new-password',
  },
})
