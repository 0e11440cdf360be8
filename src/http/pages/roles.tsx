import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { permissions } from '../../access/permissions.ts'
import { detailsOf } from '../../contract/issues.ts'
import { type Role, RoleReplace, RoleWrite } from '../../domain/roles/contract.ts'
import { holdsAll } from '../../domain/roles/delegation.ts'
import { faultsByField, type Refused, refusal } from './administration.ts'
import type { PageContext } from './context.ts'
import { fieldOf, formOf } from './form.ts'
import { requireCaller } from './session.ts'
import { type IdRequest, signedInPages } from './signed-in.ts'
import { sendPage } from './views/layout.tsx'
import { type RoleEntries, RolePage } from './views/role.tsx'
import { RolesPage } from './views/roles.tsx'

const PATH = '/admin/roles'

const entriesOf = (form: URLSearchParams): RoleEntries => ({
  name: fieldOf(form, 'name'),
  description: fieldOf(form, 'description'),
  permissions: form.getAll('permission'),
  isDefault: fieldOf(form, 'isDefault') === 'true',
})

const bodyOf = ({ description, ...entries }: RoleEntries) => ({
  ...entries,
  description: description.trim() === '' ? null : description,
})

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
    const entries = entriesOf(formOf(request))
    const again = (refused: Refused) => showList(request, reply, caller, { entries, refused })
    const parsed = RoleWrite.safeParse(bodyOf(entries))
    if (!parsed.success) return again({ status: 422, faults: faultsByField(detailsOf(parsed.error)) })
    try {
      const { name } = roles.create(caller, parsed.data)
      return back(request, reply, PATH, `The role ${name} was created.`)
    } catch (error) {
      return again(refusal(error, 'name'))
    }
  })

  function showOne(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    role: Role,
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
        mayMakeDefault={caller.permissions.has('users.roles.assign')}
        entries={shown.entries}
        faults={shown.refused?.faults ?? {}}
      />,
    )
  }

  const pageOf = ({ params }: FastifyRequest<IdRequest>) => `${PATH}/${encodeURIComponent(params.id)}`

  app.get<IdRequest>(`${PATH}/:id`, async (request, reply) => {
    const caller = requireCaller(request)
    return showOne(request, reply, caller, roles.get(caller, request.params.id))
  })

  app.post<IdRequest>(`${PATH}/:id`, async (request, reply) => {
    const caller = requireForm(request, pageOf(request))
    const role = roles.get(caller, request.params.id)
    const entries = entriesOf(formOf(request))
    const again = (refused: Refused) => showOne(request, reply, caller, role, { entries, refused })
    const parsed = RoleReplace.safeParse(bodyOf(entries))
    if (!parsed.success) return again({ status: 422, faults: faultsByField(detailsOf(parsed.error)) })
    try {
      const { name } = roles.update(caller, role.id, parsed.data)
      return back(request, reply, PATH, `The role ${name} was changed. It counts from the next request of its users.`)
    } catch (error) {
      return again(refusal(error, 'name'))
    }
  })

  app.post<IdRequest>(`${PATH}/:id/delete`, async (request, reply) => {
    const caller = requireForm(request, pageOf(request))
    const role = roles.get(caller, request.params.id)
    try {
      roles.remove(caller, role.id)
    } catch (error) {
      return showOne(request, reply, caller, role, { refused: refusal(error, 'form') })
    }
    return back(request, reply, PATH, `The role ${role.name} was deleted.`)
  })
}
