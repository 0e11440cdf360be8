import type { Permission } from '../../../../access/permissions.ts'
import type { Role } from '../../../../domain/roles/contract.ts'
import { FaultSummary } from '../../components/fields.tsx'
import { ListTable } from '../../components/lists.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Faults } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { type RoleEntries, RoleForm, roleSpecs } from './role-form.tsx'

interface Props extends Frame {
  roles: readonly Role[]
  offered: readonly Permission[]
  entries?: RoleEntries | undefined
  faults: Faults
}

function RoleTable({ basePath, roles }: Pick<Props, 'basePath' | 'roles'>) {
  return (
    <ListTable
      caption="Roles"
      rows={roles}
      columns={[
        {
          title: 'Role',
          names: true,
          cell: ({ id, name, isDefault, description }) => (
            <>
              <a href={`${basePath}/admin/roles/${encodeURIComponent(id)}`}>{name}</a>
              {isDefault && <span class="tag">Default</span>}
              {description && <span class="beside">{description}</span>}
            </>
          ),
        },
        { title: 'Users', cell: ({ userCount }) => userCount },
        { title: 'Permissions', cell: ({ permissions }) => permissions.length },
      ]}
    />
  )
}

export function RolesPage({ roles, offered, entries, faults, ...frame }: Props) {
  const { basePath, viewer } = frame
  return (
    <Layout {...frame} title="Roles – Paxlog" faults={faults} place="roles">
      <h1>Roles</h1>
      <p class="quiet">
        A role says what its users may do. New accounts get the default role unless another is chosen.
      </p>
      <FaultSummary faults={faults} fields={roleSpecs} />
      <RoleTable basePath={basePath} roles={roles} />
      <details class="new" open={entries !== undefined}>
        <summary class="button">New role</summary>
        <RoleForm
          action={`${basePath}/admin/roles`}
          csrf={viewer.csrf}
          offered={offered}
          entries={entries ?? { name: '', description: '', permissions: [], mappings: '', isDefault: false }}
          submit="Create the role"
          faults={faults}
        />
      </details>
    </Layout>
  )
}
