import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { CustomFieldReplace, CustomFieldWrite } from '../../domain/custom-fields/contract.ts'
import type { PageContext } from './context.ts'
import {
  bodyOf,
  customFieldSpecs,
  defaultFaults,
  emptyEntries,
  entriesFor,
  type FieldEntries,
  fieldAt,
} from './custom-field-form.ts'
import { formOf } from './form.ts'
import { type Refused, readForm, requireAny, submit } from './forms.ts'
import { requireCaller } from './session.ts'
import { type IdRequest, idOf, pageBelow, signedInPages } from './signed-in.ts'
import { CustomFieldPage } from './views/custom-field.tsx'
import { CustomFieldsPage } from './views/custom-fields.tsx'
import { sendPage } from './views/layout.tsx'

const PATH = '/admin/custom-fields'

interface Shown {
  entries?: FieldEntries
  refused?: Refused
}

/** Definitions of custom fields, for those who may manage them. */
export async function customFieldPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { customFields, reference } = context
  const { frame, requireForm, back } = signedInPages(context)

  /** How both forms become what the service takes. */
  const judged = (entries: FieldEntries) => ({
    body: bodyOf(entries, reference),
    faults: defaultFaults(entries, reference),
    fieldAt,
    unique: 'key',
  })

  const managing = (caller: Caller) => requireAny(caller, 'custom_fields.manage')

  function showList(request: FastifyRequest, reply: FastifyReply, caller: Caller, { entries, refused }: Shown = {}) {
    return sendPage(
      reply,
      refused?.status ?? 200,
      <CustomFieldsPage
        {...frame(request, caller)}
        defined={customFields.list(caller, true)}
        isNew={entries !== undefined}
        entries={entries ?? emptyEntries}
        faults={refused?.faults ?? {}}
      />,
    )
  }

  app.get(PATH, async (request, reply) => showList(request, reply, managing(requireCaller(request))))

  app.post(PATH, async (request, reply) => {
    const caller = managing(requireForm(request, PATH))
    const entries = readForm(customFieldSpecs, formOf(request))
    return submit({
      ...judged(entries),
      schema: CustomFieldWrite,
      work: (body) => customFields.create(caller, body),
      again: (refused) => showList(request, reply, caller, { entries, refused }),
      done: ({ label }) => back(request, reply, PATH, `The field ${label} was added.`),
    })
  })

  function showOne(request: FastifyRequest<IdRequest>, reply: FastifyReply, caller: Caller, shown: Shown = {}) {
    const field = customFields.get(caller, idOf(request, 'custom field'))
    return sendPage(
      reply,
      shown.refused?.status ?? 200,
      <CustomFieldPage
        {...frame(request, caller)}
        field={field}
        entries={shown.entries ?? entriesFor(field, reference)}
        faults={shown.refused?.faults ?? {}}
      />,
    )
  }

  app.get<IdRequest>(`${PATH}/:id`, async (request, reply) => showOne(request, reply, managing(requireCaller(request))))

  app.post<IdRequest>(`${PATH}/:id`, async (request, reply) => {
    const caller = managing(requireForm(request, pageBelow(PATH, request)))
    const { id, entityType, key, fieldType } = customFields.get(caller, idOf(request, 'custom field'))
    const entries = { ...readForm(customFieldSpecs, formOf(request)), entityType, key, fieldType }
    return submit({
      ...judged(entries),
      schema: CustomFieldReplace,
      work: (body) => customFields.update(caller, id, body),
      again: (refused) => showOne(request, reply, caller, { entries, refused }),
      done: ({ label }) => back(request, reply, PATH, `The field ${label} was changed.`),
    })
  })

  app.post<IdRequest>(`${PATH}/:id/delete`, async (request, reply) => {
    const caller = managing(requireForm(request, pageBelow(PATH, request)))
    await customFields.remove(caller, idOf(request, 'custom field'))
    return back(request, reply, PATH, 'The field was deleted, with all its values.')
  })
}
