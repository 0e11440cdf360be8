import { type Permission, permissionSentence, permissionsInGroups } from '../../../access/permissions.ts'
import { Choice, type Faults, Field, Hidden } from './fields.tsx'

/** What was typed into the form of a role. */
export interface RoleEntries {
  name: string
  description: string
  permissions: readonly string[]
  isDefault: boolean
}

export const roleFields = {
  name: { id: 'name', label: 'Name' },
  description: { id: 'description', label: 'Description' },
  permissions: { id: 'permissions', label: 'What its users may do' },
  form: { id: 'content', label: 'Not possible' },
}

interface Props {
  action: string
  csrf: string
  offered: readonly Permission[]
  entries: RoleEntries
  /** Undefined where the role cannot be made the default, or is it already. */
  offersDefault?: boolean
  submit: string
  faults: Faults
}

/** A role by its name and the boxes that are ticked. */
export function RoleForm({ action, csrf, offered, entries, offersDefault, submit, faults }: Props) {
  const chosen = new Set(entries.permissions)
  return (
    <form method="post" action={action} noValidate class="card">
      <Hidden csrf={csrf} />
      <div class="pairs">
        <Field
          {...roleFields.name}
          name="name"
          fault={faults.name}
          input={{ type: 'text', value: entries.name, required: true, maxLength: 100, autocomplete: 'off' }}
        />
        <Field
          {...roleFields.description}
          name="description"
          fault={faults.description}
          input={{ type: 'text', value: entries.description, maxLength: 400, autocomplete: 'off' }}
        />
      </div>
      <fieldset id="permissions" tabIndex={-1} aria-describedby={faults.permissions ? 'permissions-fault' : undefined}>
        <legend>What its users may do</legend>
        {faults.permissions && (
          <p class="fault" id="permissions-fault">
            {faults.permissions}
          </p>
        )}
        <p class="hint">Whatever is allowed for all flights is allowed for own flights too.</p>
        <div class="groups">
          {permissionsInGroups(offered).map(({ group, held }) => (
            <fieldset key={group}>
              <legend>{group}</legend>
              {held.map((name) => (
                <Choice key={name} name="permission" value={name} checked={chosen.has(name)}>
                  {permissionSentence(name)} <code>{name}</code>
                </Choice>
              ))}
            </fieldset>
          ))}
        </div>
      </fieldset>
      {offersDefault && (
        <Choice name="isDefault" value="true" checked={entries.isDefault}>
          Give this role to new accounts from now on
        </Choice>
      )}
      <p class="actions">
        <button class="primary" type="submit">
          {submit}
        </button>
      </p>
    </form>
  )
}
