import type { FastifyInstance } from 'fastify'
import { groupPermissions, permissions } from '../../../../access/permissions.ts'
import { type Role, RoleReplace, type RoleWithMappings, RoleWrite } from '../../../../domain/roles/contract.ts'
import { ClaimValueTaken, holdsAll } from '../../../../domain/roles/service.ts'
import { ErrorSummary } from '../../components/fields.tsx'
import { Boxes, ChoiceGroups, DangerForm, formFields, PostForm } from '../../components/forms.tsx'
import { ListTable } from '../../components/lists.tsx'
import { Crumb, Section } from '../../components/section.tsx'
import type { Frame, PageContext, Viewer } from '../../framework/context.ts'
import { crudPages, type FormState } from '../../framework/crud.ts'
import { linesOf } from '../../framework/form.ts'
import { emptyForm, type FieldErrors, type FormValues, formSpecs, readForm, submit } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import type { PageTexts } from '../../texts/languages.ts'

const PATH = '/admin/roles'

type RoleTexts = PageTexts['admin']['roles']

const roleSpecs = (t: RoleTexts) =>
  formSpecs({
    name: { id: 'name', label: t.name, required: true, maxLength: 100 },
    description: { id: 'description', label: t.description, maxLength: 400 },
    permissions: {
      id: 'permissions',
      label: t.permissions,
      hint: t.permissionsHint,
      kind: 'boxes',
      sent: 'permission',
    },
    mappings: {
      id: 'oauth-mappings',
      label: t.mappings,
      hint: t.mappingsHint,
      kind: 'area',
      rows: 3,
    },
    isDefault: { id: 'default', label: t.makeDefault, kind: 'box' },
  })

type RoleEntries = FormValues<ReturnType<typeof roleSpecs>>

interface RoleFormProps {
  action: string
  viewer: Viewer
  entries: RoleEntries
  fieldErrors: FieldErrors
  submit: string
  offersDefault?: boolean
  offersMappings?: boolean
}

function RoleForm({ action, viewer, entries, fieldErrors, submit, offersDefault, offersMappings }: RoleFormProps) {
  const texts = useTexts()
  const { permissions: descriptions, permissionGroups } = texts.messages
  const specs = roleSpecs(texts.admin.roles)
  const field = formFields(specs, entries, fieldErrors)
  // Users can grant only permissions that they hold.
  const offered = permissions.filter((name) => viewer.permissions.has(name))
  const groups = groupPermissions(offered).map(({ group, held }) => ({
    title: permissionGroups[group],
    choices: held.map((name) => ({
      value: name,
      words: (
        <>
          {descriptions[name]} <code>{name}</code>
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
      <Boxes {...specs.permissions} fieldError={fieldErrors.permissions}>
        <ChoiceGroups name="permission" groups={groups} chosen={new Set(entries.permissions)} />
      </Boxes>
      {offersMappings && field('mappings')}
      {offersDefault && field('isDefault')}
    </PostForm>
  )
}

function RolesPage({ roles, entries, fieldErrors, ...frame }: Frame & FormState<RoleEntries> & { roles: Role[] }) {
  const t = useTexts().admin.roles
  const specs = roleSpecs(t)
  const action = frame.basePath + PATH
  return (
    <Layout {...frame} title={t.title} fieldErrors={fieldErrors} place="roles">
      <h1>{t.title}</h1>
      <p class="quiet">{t.introduction}</p>
      <ErrorSummary fieldErrors={fieldErrors} fields={specs} />
      <ListTable
        caption={t.title}
        rows={roles}
        columns={[
          {
            title: t.role,
            names: true,
            cell: ({ id, name, isDefault, description }) => (
              <>
                <a href={`${action}/${encodeURIComponent(id)}`}>{name}</a>
                {isDefault && <span class="tag">{t.default}</span>}
                {description && <span class="beside">{description}</span>}
              </>
            ),
          },
          { title: t.users, cell: ({ userCount }) => userCount },
          { title: t.permissions, cell: (role) => role.permissions.length },
        ]}
      />
      <details class="new" open={entries !== undefined}>
        <summary class="button">{t.newRole}</summary>
        <RoleForm
          action={action}
          viewer={frame.viewer}
          entries={entries ?? emptyForm(specs)}
          fieldErrors={fieldErrors}
          submit={t.create}
        />
      </details>
    </Layout>
  )
}

function DeleteRole({ role, action, csrf }: { role: Role; action: string; csrf: string }) {
  const t = useTexts().admin.roles
  if (role.isDefault) return <p class="quiet">{t.defaultNotDeletable}</p>
  if (role.userCount > 0) return <p class="quiet">{t.usedNotDeletable({ count: role.userCount })}</p>
  return (
    <DangerForm action={`${action}/delete`} csrf={csrf} summary={t.delete({ name: role.name })} button={t.deleteThis}>
      <p>{t.unassigned}</p>
    </DangerForm>
  )
}

function assignmentOf({ userCount: count, isDefault }: Role, t: RoleTexts): string {
  if (count === 0) return isDefault ? t.unassignedDefault : t.unassigned
  return isDefault ? t.assignedDefault({ count }) : t.assigned({ count })
}

interface RoleProps extends Frame, FormState<RoleEntries> {
  role: RoleWithMappings
  /** False if the role has permissions that the viewer lacks. */
  canChange: boolean
  hasProvider: boolean
}

function RolePage({ role, canChange, hasProvider, entries, fieldErrors, ...frame }: RoleProps) {
  const { basePath, viewer } = frame
  const texts = useTexts()
  const t = texts.admin.roles
  const action = `${basePath}${PATH}/${encodeURIComponent(role.id)}`
  const { oauthMappings: mappings } = role
  const canAssign = viewer.permissions.has('users.roles.assign')
  const stored = { ...role, description: role.description ?? '', mappings: mappings.join('\n'), isDefault: false }
  return (
    <Layout {...frame} title={role.name} fieldErrors={fieldErrors} place="roles" below>
      <Crumb href={basePath + PATH}>{t.title}</Crumb>
      <h1 dir="auto">{role.name}</h1>
      <p class="quiet">{assignmentOf(role, t)}</p>
      {mappings.length > 0 && !(canChange && canAssign) && (
        <p class="quiet">{t.assignedByProvider({ claims: mappings.join(', ') })}</p>
      )}
      <ErrorSummary fieldErrors={fieldErrors} fields={roleSpecs(t)} />
      {canChange ? (
        <>
          <RoleForm
            action={action}
            viewer={viewer}
            entries={entries ?? stored}
            fieldErrors={fieldErrors}
            submit={t.save}
            offersDefault={canAssign && !role.isDefault}
            offersMappings={canAssign && (hasProvider || mappings.length > 0)}
          />
          <Section id="deletion" title={t.deletion}>
            <DeleteRole role={role} action={action} csrf={viewer.csrf} />
          </Section>
        </>
      ) : (
        <div class="card">
          <p>{t.notChangeable}</p>
          <ul>
            {role.permissions.map((name) => (
              <li key={name}>{texts.messages.permissions[name]}</li>
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
    create({ caller, form, texts, back }, again) {
      const t = texts.admin.roles
      const entries = readForm(roleSpecs(t), form)
      return submit({
        texts,
        schema: RoleWrite,
        body: bodyOf(entries),
        unique: 'name',
        work: (body) => roles.create(caller, body),
        again: again(entries),
        done: ({ name }) => back(PATH, t.created({ name })),
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
    update({ caller, form, texts, back }, role, again) {
      const t = texts.admin.roles
      const entries = readForm(roleSpecs(t), form)
      return submit({
        texts,
        schema: RoleReplace,
        // A form without the field leaves the claim values unchanged.
        body: { ...bodyOf(entries), ...(form.has('mappings') && { oauthMappings: linesOf(entries.mappings) }) },
        fieldAt: ([first = '']) => (first === 'oauthMappings' ? 'mappings' : first),
        unique: (error) => (error instanceof ClaimValueTaken ? 'mappings' : 'name'),
        work: (body) => roles.update(caller, role.id, body),
        again: again(entries),
        done: ({ name }) => back(PATH, t.changed({ name })),
      })
    },
    remove: ({ caller }, role) => roles.remove(caller, role.id),
    removed: (texts, { name }) => texts.admin.roles.deleted({ name }),
  })
}
