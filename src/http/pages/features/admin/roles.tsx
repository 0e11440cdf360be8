import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../../access/caller.ts'
import { permissions } from '../../../../access/permissions.ts'
import { RoleReplace, type RoleWithMappings, RoleWrite } from '../../../../domain/roles/contract.ts'
import { ClaimValueTaken, holdsAll } from '../../../../domain/roles/service.ts'
import type { PageContext } from '../../framework/context.ts'
import { crudPages } from '../../framework/crud.ts'
import { linesOf } from '../../framework/form.ts'
import { readForm, submit } from '../../framework/forms.ts'
import { type RoleEntries, roleSpecs } from './role-form.tsx'
import { RolePage } from './role-page.tsx'
import { RolesPage } from './roles-page.tsx'

const PATH = '/admin/roles'

const bodyOf = ({ description, mappings: _, ...entries }: RoleEntries) => ({
  ...entries,
  description: description.trim() === '' ? null : description,
})

/** A form without the field leaves the claim values unchanged. */
const mappingsOf = (form: URLSearchParams, { mappings }: RoleEntries) =>
  form.has('mappings') && { oauthMappings: linesOf(mappings) }

export async function rolePages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { roles, identities } = context

  /** Users can grant only permissions that they hold. */
  const offeredTo = (caller: Caller) => permissions.filter((name) => caller.permissions.has(name))

  crudPages<RoleEntries, RoleWithMappings>(app, context, {
    path: PATH,
    list: ({ caller, frame }, state) => (
      <RolesPage {...frame} {...state} roles={roles.list(caller)} offered={offeredTo(caller)} />
    ),
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
        offered={offeredTo(caller)}
        mayChange={holdsAll(caller, role.permissions)}
        mayGive={caller.permissions.has('users.roles.assign')}
        hasProvider={identities.provider !== undefined}
      />
    ),
    update({ caller, form, back }, role, again) {
      const entries = readForm(roleSpecs, form)
      return submit({
        schema: RoleReplace,
        body: { ...bodyOf(entries), ...mappingsOf(form, entries) },
        fieldAt: ([first = '']) => (first === 'oauthMappings' ? 'mappings' : first),
        unique: (error) => (error instanceof ClaimValueTaken ? 'mappings' : 'name'),
        work: (body) => roles.update(caller, role.id, body),
        again: again(entries),
        done: ({ name }) => back(PATH, `The role ${name} was changed. It counts from the next request of its users.`),
      })
    },
    remove: ({ caller }, role) => roles.remove(caller, role.id),
    removed: ({ name }) => `The role ${name} was deleted.`,
  })
}
