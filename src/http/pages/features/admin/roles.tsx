import type { FastifyInstance } from 'fastify'
import { describePermission, groupPermissions, permissions } from '../../../../access/permissions.ts'
import { type Role, RoleReplace, type RoleWithMappings, RoleWrite } from '../../../../domain/roles/contract.ts'
import { ClaimValueTaken, holdsAll } from '../../../../domain/roles/service.ts'
import { FaultSummary } from '../../components/fields.tsx'
import { Boxes, ChoiceGroups, DangerForm, formFields, PostForm } from '../../components/forms.tsx'
import { ListTable } from '../../components/lists.tsx'
import { Crumb, Section } from '../../components/section.tsx'
import type { Frame, PageContext, Viewer } from '../../framework/context.ts'
import { crudPages, type FormState } from '../../framework/crud.ts'
import { linesOf } from '../../framework/form.ts'
import { emptyForm, type Faults, formSpecs, readForm, submit, type Typed } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'

const PATH = '/admin/roles'

const roleSpecs = formSpecs({
  name: { id: 'name', label: 'Name', required: true, maxLength: 100 },
  description: { id: 'description', label: 'Description', maxLength: 400 },
  permissions: {
    id: 'permissions',
    label: 'Permissions',
    hint: 'A permission for all flights includes own flights.',
    kind: 'boxes',
    sent: 'permission',
  },
  mappings: {
    id: 'oauth-mappings',
    label: 'Identity provider claims',
    hint: 'Values of the role claim, one per line. Users who sign in with one of them get this role.',
    kind: 'area',
    rows: 3,
  },
  isDefault: { id: 'default', label: 'Make this the default role for new accounts', kind: 'box' },
})

type RoleEntries = Typed<typeof roleSpecs>

interface RoleFormProps {
  action: string
  viewer: Viewer
  entries: RoleEntries
  faults: Faults
  submit: string
  offersDefault?: boolean
  offersMappings?: boolean
}

function RoleForm({ action, viewer, entries, faults, submit, offersDefault, offersMappings }: RoleFormProps) {
  const field = formFields(roleSpecs, entries, faults)
  // Users can grant only permissions that they hold.
  const offered = permissions.filter((name) => viewer.permissions.has(name))
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
    <PostForm action={action} csrf={viewer.csrf} submit={submit}>
      <div class="pairs">
        {field('name')}
        {field('description')}
      </div>
      <Boxes {...roleSpecs.permissions} fault={faults.permissions}>
        <ChoiceGroups name="permission" groups={groups} chosen={new Set(entries.permissions)} />
      </Boxes>
      {offersMappings && field('mappings')}
      {offersDefault && field('isDefault')}
    </PostForm>
  )
}

function RolesPage({ roles, entries, faults, ...frame }: Frame & FormState<RoleEntries> & { roles: Role[] }) {
  const action = frame.basePath + PATH
  return (
    <Layout {...frame} title="Roles – Paxlog" faults={faults} place="roles">
      <h1>Roles</h1>
      <p class="quiet">
        A role defines what its users can do. New accounts get the default role unless you choose another.
      </p>
      <FaultSummary faults={faults} fields={roleSpecs} />
      <ListTable
        caption="Roles"
        rows={roles}
        columns={[
          {
            title: 'Role',
            names: true,
            cell: ({ id, name, isDefault, description }) => (
              <>
                <a href={`${action}/${encodeURIComponent(id)}`}>{name}</a>
                {isDefault && <span class="tag">Default</span>}
                {description && <span class="beside">{description}</span>}
              </>
            ),
          },
          { title: 'Users', cell: ({ userCount }) => userCount },
          { title: 'Permissions', cell: (role) => role.permissions.length },
        ]}
      />
      <details class="new" open={entries !== undefined}>
        <summary class="button">New role</summary>
        <RoleForm
          action={action}
          viewer={frame.viewer}
          entries={entries ?? emptyForm(roleSpecs)}
          faults={faults}
          submit="Create role"
        />
      </details>
    </Layout>
  )
}

const countUsers = (count: number) => (count === 1 ? 'one user' : `${count} users`)

function DeleteRole({ role, action, csrf }: { role: Role; action: string; csrf: string }) {
  if (role.isDefault) {
    return <p class="quiet">This is the default role. Make another role the default before you delete it.</p>
  }
  if (role.userCount > 0) {
    return <p class="quiet">This role has {countUsers(role.userCount)}. Give them another role before you delete it.</p>
  }
  return (
    <DangerForm
      action={`${action}/delete`}
      csrf={csrf}
      summary={`Delete the role ${role.name}`}
      button="Delete this role"
    >
      <p>No user has this role.</p>
    </DangerForm>
  )
}

interface RoleProps extends Frame, FormState<RoleEntries> {
  role: RoleWithMappings
  /** False if the role has permissions that the viewer lacks. */
  canChange: boolean
  hasProvider: boolean
}

function RolePage({ role, canChange, hasProvider, entries, faults, ...frame }: RoleProps) {
  const { basePath, viewer } = frame
  const action = `${basePath}${PATH}/${encodeURIComponent(role.id)}`
  const { oauthMappings: mappings } = role
  const canAssign = viewer.permissions.has('users.roles.assign')
  const stored = { ...role, description: role.description ?? '', mappings: mappings.join('\n'), isDefault: false }
  return (
    <Layout {...frame} title={`${role.name} – Paxlog`} faults={faults} place="roles" below>
      <Crumb href={basePath + PATH}>Roles</Crumb>
      <h1 dir="auto">{role.name}</h1>
      <p class="quiet">
        {role.userCount === 0 ? 'No user has this role' : `Assigned to ${countUsers(role.userCount)}`}
        {role.isDefault && '; the default for new accounts'}.
      </p>
      {mappings.length > 0 && !(canChange && canAssign) && (
        <p class="quiet">Assigned by the identity provider for {mappings.join(', ')}.</p>
      )}
      <FaultSummary faults={faults} fields={roleSpecs} />
      {canChange ? (
        <>
          <RoleForm
            action={action}
            viewer={viewer}
            entries={entries ?? stored}
            faults={faults}
            submit="Save"
            offersDefault={canAssign && !role.isDefault}
            offersMappings={canAssign && (hasProvider || mappings.length > 0)}
          />
          <Section id="deletion" title="Delete">
            <DeleteRole role={role} action={action} csrf={viewer.csrf} />
          </Section>
        </>
      ) : (
        <div class="card">
          <p>You cannot change this role because it has permissions that you lack. Its users can:</p>
          <ul>
            {role.permissions.map((name) => (
              <li key={name}>{describePermission(name)}</li>
            ))}
          </ul>
        </div>
      )}
    </Layout>
  )
}

const bodyOf = ({ description, mappings: _, ...entries }: RoleEntries) => ({
  ...entries,
  description: description.trim() === '' ? null : description,
})

export async function rolePages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { roles, identities } = context

  crudPages<RoleEntries, RoleWithMappings>(app, context, {
    path: PATH,
    list: ({ caller, frame }, state) => <RolesPage {...frame} {...state} roles={roles.list(caller)} />,
    create({ caller, form, back }, again) {
      const entries = readForm(roleSpecs, form)
      return submit({
        schema: RoleWrite,
        body: bodyOf(entries),
        unique: 'name',
        work: (body) => roles.create(caller, body),
        again: again(entries),
        done: ({ name }) => back(PATH, `The role ${name} was created.`),
      })
    },
    find: ({ caller, request }) => roles.get(caller, request.params.id),
    edit: ({ caller, frame }, role, state) => (
      <RolePage
        {...frame}
        {...state}
        role={role}
        canChange={holdsAll(caller, role.permissions)}
        hasProvider={identities.provider !== undefined}
      />
    ),
    update({ caller, form, back }, role, again) {
      const entries = readForm(roleSpecs, form)
      return submit({
        schema: RoleReplace,
        // A form without the field leaves the claim values unchanged.
        body: { ...bodyOf(entries), ...(form.has('mappings') && { oauthMappings: linesOf(entries.mappings) }) },
        fieldAt: ([first = '']) => (first === 'oauthMappings' ? 'mappings' : first),
        unique: (error) => (error instanceof ClaimValueTaken ? 'mappings' : 'name'),
        work: (body) => roles.update(caller, role.id, body),
        again: again(entries),
        done: ({ name }) => back(PATH, `The role ${name} was changed. Changes apply to the next request of its users.`),
      })
    },
    remove: ({ caller }, role) => roles.remove(caller, role.id),
    removed: ({ name }) => `The role ${name} was deleted.`,
  })
}
