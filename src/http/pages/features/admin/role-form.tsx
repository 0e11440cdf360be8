import { describePermission, groupPermissions, type Permission } from '../../../../access/permissions.ts'
import { Boxes, ChoiceGroups, formFields, PostForm } from '../../components/forms.tsx'
import { type Faults, formSpecs, type Typed } from '../../framework/forms.ts'

export const roleSpecs = formSpecs({
  name: { id: 'name', label: 'Name', required: true, maxLength: 100 },
  description: { id: 'description', label: 'Description', maxLength: 400 },
  permissions: { id: 'permissions', label: 'What its users may do', kind: 'boxes', sent: 'permission' },
  mappings: {
    id: 'oauth-mappings',
    label: 'Given by the identity provider for',
    hint: 'Values of the role claim, one a line. Whoever signs in with one of them gets this role.',
    kind: 'area',
    rows: 3,
  },
  isDefault: { id: 'default', label: 'Give this role to new accounts from now on', kind: 'box' },
})

/** What was typed into the form of a role. */
export type RoleEntries = Typed<typeof roleSpecs>

interface Props {
  action: string
  csrf: string
  offered: readonly Permission[]
  entries: RoleEntries
  /** Undefined where the role cannot be made the default, or is it already. */
  offersDefault?: boolean
  /** Whether the claim values that give the role are shown; those who could not give it themselves may not change them. */
  offersMappings?: boolean
  submit: string
  faults: Faults
}

/** A role by its name and the boxes that are ticked. */
export function RoleForm({ action, csrf, offered, entries, offersDefault, offersMappings, submit, faults }: Props) {
  const field = formFields(roleSpecs, entries, faults)
  const groups = groupPermissions(offered).map(({ group, held }) => ({
    title: group,
    choices: held.map((name) => ({
      value: name,
      words: (
        <>
          {describePermission(name)} <code>{name}</code>
        </>
      ),
    })),
  }))
  return (
    <PostForm action={action} csrf={csrf} submit={submit}>
      <div class="pairs">
        {field('name')}
        {field('description')}
      </div>
      <Boxes
        {...roleSpecs.permissions}
        fault={faults.permissions}
        hint="Whatever is allowed for all flights is allowed for own flights too."
      >
        <ChoiceGroups name="permission" groups={groups} chosen={new Set(entries.permissions)} />
      </Boxes>
      {offersMappings && field('mappings')}
      {offersDefault && field('isDefault')}
    </PostForm>
  )
}
