import type { Permission } from '../../../access/permissions.ts'
import type { Role } from '../../../domain/roles/contract.ts'
import type { Frame } from '../context.ts'
import { FaultSummary, type Faults } from './fields.tsx'
import { Layout } from './layout.tsx'
import { type RoleEntries, RoleForm, roleFields } from './role-form.tsx'

interface Props extends Frame {
  roles: readonly Role[]
  offered: readonly Permission[]
  entries: RoleEntries | undefined
  faults: Faults
}

function RoleTable({ basePath, roles }: Pick<Props, 'basePath' | 'roles'>) {
  return (
    <div class="card flush">
      <table class="list">
        <caption class="unseen">Roles</caption>
        <thead>
          <tr>
            <th scope="col">Role</th>
            <th scope="col">Users</th>
            <th scope="col">Permissions</th>
          </tr>
        </thead>
        <tbody>
          {roles.map((role) => (
            <tr key={role.id}>
              <th scope="row">
                <a href={`${basePath}/admin/roles/${encodeURIComponent(role.id)}`}>{role.name}</a>
                {role.isDefault && <span class="tag">Default</span>}
                {role.description && <span class="beside">{role.description}</span>}
              </th>
              <td>{role.userCount}</td>
              <td>{role.permissions.length}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function RolesPage({ roles, offered, entries, faults, ...frame }: Props) {
  const { basePath, viewer } = frame
  const faulty = Object.keys(faults).length > 0
  return (
    <Layout {...frame} title={`${faulty ? 'Error: ' : ''}Roles – Paxlog`} place="roles">
      <h1>Roles</h1>
      <p class="quiet">
        A role says what its users may do. New accounts get the default role unless another is chosen.
      </p>
      <FaultSummary faults={faults} fields={roleFields} />
      <RoleTable basePath={basePath} roles={roles} />
      <details class="new" open={entries !== undefined}>
        <summary class="button">New role</summary>
        <RoleForm
          action={`${basePath}/admin/roles`}
          csrf={viewer.csrf}
          offered={offered}
          entries={entries ?? { name: '', description: '', permissions: [], isDefault: false }}
          submit="Create the role"
          faults={faults}
        />
      </details>
    </Layout>
  )
}
