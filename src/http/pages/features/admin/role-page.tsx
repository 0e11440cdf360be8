import { describePermission, type Permission } from '../../../../access/permissions.ts'
import type { Role, RoleWithMappings } from '../../../../domain/roles/contract.ts'
import { FaultSummary } from '../../components/fields.tsx'
import { DangerForm } from '../../components/forms.tsx'
import { Crumb, Section } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Faults } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { type RoleEntries, RoleForm, roleSpecs } from './role-form.tsx'

interface Props extends Frame {
  role: RoleWithMappings
  offered: readonly Permission[]
  /** False when the role holds something that the viewer does not. */
  mayChange: boolean
  /** Whether the viewer may give roles, and so also make one the default or tie it to claims of the identity provider. */
  mayGive: boolean
  /** Whether there is an identity provider whose claims could give a role. */
  hasProvider: boolean
  entries?: RoleEntries | undefined
  faults: Faults
}

const people = (count: number) => (count === 1 ? 'one user' : `${count} users`)

/** Why the role cannot be deleted now, in one sentence. */
function obstacle({ isDefault, userCount }: Role): string | undefined {
  if (isDefault) return 'This is the default role. Make another role the default before you delete it.'
  if (userCount > 0) return `This role has ${people(userCount)}. Give them another role before you delete it.`
  return undefined
}

function Deletion({ role, action, csrf }: { role: Role; action: string; csrf: string }) {
  const why = obstacle(role)
  if (why) return <p class="quiet">{why}</p>
  return (
    <DangerForm
      action={`${action}/delete`}
      csrf={csrf}
      summary={`Delete the role ${role.name}`}
      button="Delete this role"
    >
      <p>Nobody has this role, so nobody loses anything.</p>
    </DangerForm>
  )
}

function Held({ role }: { role: Role }) {
  return (
    <div class="card">
      <p>This role may do things that you may not, so you cannot change it. Its users may:</p>
      <ul>
        {role.permissions.map((name) => (
          <li key={name}>{describePermission(name)}</li>
        ))}
      </ul>
    </div>
  )
}

export function RolePage({ role, offered, mayChange, mayGive, hasProvider, entries, faults, ...frame }: Props) {
  const { basePath, viewer } = frame
  const action = `${basePath}/admin/roles/${encodeURIComponent(role.id)}`
  const { oauthMappings } = role
  const stored = {
    ...role,
    description: role.description ?? '',
    mappings: oauthMappings.join('\n'),
    isDefault: false,
  }
  const showsMappings = hasProvider || oauthMappings.length > 0
  return (
    <Layout {...frame} title={`${role.name} – Paxlog`} faults={faults} place="roles" below>
      <Crumb href={`${basePath}/admin/roles`}>Roles</Crumb>
      <h1 dir="auto">{role.name}</h1>
      <p class="quiet">
        {role.userCount === 0 ? 'Nobody has this role' : `Given to ${people(role.userCount)}`}
        {role.isDefault && ', and to new accounts'}.
      </p>
      {oauthMappings.length > 0 && !(mayChange && mayGive) && (
        <p class="quiet">The identity provider gives it for {oauthMappings.join(', ')}.</p>
      )}
      <FaultSummary faults={faults} fields={roleSpecs} />
      {mayChange ? (
        <>
          <RoleForm
            action={action}
            csrf={viewer.csrf}
            offered={offered}
            entries={entries ?? stored}
            offersDefault={mayGive && !role.isDefault}
            offersMappings={mayGive && showsMappings}
            submit="Save"
            faults={faults}
          />
          <Section id="deletion" title="Delete">
            <Deletion role={role} action={action} csrf={viewer.csrf} />
          </Section>
        </>
      ) : (
        <Held role={role} />
      )}
    </Layout>
  )
}
