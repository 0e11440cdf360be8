import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { permissions } from '../../access/permissions.ts'
import { RoleReplace, type RoleWithMappings, RoleWrite } from '../../domain/roles/contract.ts'
import { holdsAll } from '../../domain/roles/delegation.ts'
import { ClaimValueTaken } from '../../domain/roles/service.ts'
import type { PageContext } from './context.ts'
import { formOf, linesOf } from './form.ts'
import { attempt, type Refused, readForm, submit } from './forms.ts'
import { requireCaller } from './session.ts'
import { type IdRequest, pageBelow, signedInPages } from './signed-in.ts'
import { sendPage } from './views/layout.tsx'
import { RolePage } from './views/role.tsx'
import { type RoleEntries, roleSpecs } from './views/role-form.tsx'
import { RolesPage } from './views/roles.tsx'

const PATH = '/admin/roles'

const bodyOf = ({ description, mappings: _, ...entries }: RoleEntries) => ({
  ...entries,
  description: description.trim() === '' ? null : description,
})

/** The claim values, where the form has them; without the field they stay as they are. */
const mappingsOf = (form: URLSearchParams, { mappings }: RoleEntries) =>
  form.has('mappings') && { oauthMappings: linesOf(mappings) }

/** Roles, for those who may read and change them. */
export async function rolePages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { roles } = context
  const { frame, requireForm, back } = signedInPages(context)

  /** Nobody gives away what they do not hold, so nothing else is offered. */
  const offeredTo = (caller: Caller) => permissions.filter((name) => caller.permissions.has(name))

  function showList(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    shown: { entries?: RoleEntries; refused?: Refused } = {},
  ) {
    return sendPage(
      reply,
      shown.refused?.status ?? 200,
      <RolesPage
        {...frame(request, caller)}
        roles={roles.list(caller)}
        offered={offeredTo(caller)}
        entries={shown.entries}
        faults={shown.refused?.faults ?? {}}
      />,
    )
  }

  app.get(PATH, async (request, reply) => showList(request, reply, requireCaller(request)))

  app.post(PATH, async (request, reply) => {
    const caller = requireForm(request, PATH)
    const entries = readForm(roleSpecs, formOf(request))
    return submit({
      schema: RoleWrite,
      body: bodyOf(entries),
      unique: 'name',
      work: (body) => roles.create(caller, body),
      again: (refused) => showList(request, reply, caller, { entries, refused }),
      done: ({ name }) => back(request, reply, PATH, `The role ${name} was created.`),
    })
  })

  function showOne(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    role: RoleWithMappings,
    shown: { entries?: RoleEntries; refused?: Refused } = {},
  ) {
    return sendPage(
      reply,
      shown.refused?.status ?? 200,
      <RolePage
        {...frame(request, caller)}
        role={role}
        offered={offeredTo(caller)}
        mayChange={holdsAll(caller, role.permissions)}
        mayGive={caller.permissions.has('users.roles.assign')}
        hasProvider={context.identities.provider !== undefined}
        entries={shown.entries}
        faults={shown.refused?.faults ?? {}}
      />,
    )
  }

  app.get<IdRequest>(`${PATH}/:id`, async (request, reply) => {
    const caller = requireCaller(request)
    return showOne(request, reply, caller, roles.get(caller, request.params.id))
  })

  app.post<IdRequest>(`${PATH}/:id`, async (request, reply) => {
    const caller = requireForm(request, pageBelow(PATH, request))
    const role = roles.get(caller, request.params.id)
    const form = formOf(request)
    const entries = readForm(roleSpecs, form)
    return submit({
      schema: RoleReplace,
      body: { ...bodyOf(entries), ...mappingsOf(form, entries) },
      fieldAt: ([first = '']) => (first === 'oauthMappings' ? 'mappings' : first),
      unique: (error) => (error instanceof ClaimValueTaken ? 'mappings' : 'name'),
      work: (body) => roles.update(caller, role.id, body),
      again: (refused) => showOne(request, reply, caller, role, { entries, refused }),
      done: ({ name }) =>
        back(request, reply, PATH, `The role ${name} was changed. It counts from the next request of its users.`),
    })
  })

  app.post<IdRequest>(`${PATH}/:id/delete`, async (request, reply) => {
    const caller = requireForm(request, pageBelow(PATH, request))
    const role = roles.get(caller, request.params.id)
    return attempt({
      work: () => roles.remove(caller, role.id),
      again: (refused) => showOne(request, reply, caller, role, { refused }),
      done: () => back(request, reply, PATH, `The role ${role.name} was deleted.`),
    })
  })
}
