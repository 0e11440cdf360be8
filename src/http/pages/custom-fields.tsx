import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import { detailsOf } from '../../contract/issues.ts'
import { CustomFieldReplace, CustomFieldWrite } from '../../domain/custom-fields/contract.ts'
import { faultsByField, type Refused, refusal, requireAny } from './administration.ts'
import type { PageContext } from './context.ts'
import { bodyOf, defaultFault, emptyEntries, entriesFor, entriesOf, type FieldEntries } from './custom-field-form.ts'
import { formOf } from './form.ts'
import { requireCaller } from './session.ts'
import { type IdRequest, idOf, signedInPages } from './signed-in.ts'
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

  /** What can be said against the entries before the service is asked. */
  function readable<Output>(schema: z.ZodType<Output>, entries: FieldEntries): { data: Output } | { refused: Refused } {
    const parsed = schema.safeParse(bodyOf(entries, reference))
    const faults = parsed.success ? {} : faultsByField(detailsOf(parsed.error), 'validation')
    const fault = defaultFault(entries, reference)
    if (parsed.success && !fault) return { data: parsed.data }
    return { refused: { status: 422, faults: { ...faults, ...(fault && { defaultValue: fault }) } } }
  }

  function managing(caller: Caller): Caller {
    requireAny(caller, ['custom_fields.manage'])
    return caller
  }

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
    const entries = entriesOf(formOf(request))
    const again = (refused: Refused) => showList(request, reply, caller, { entries, refused })
    const body = readable(CustomFieldWrite, entries)
    if ('refused' in body) return again(body.refused)
    try {
      const { label } = customFields.create(caller, body.data)
      return back(request, reply, PATH, `The field ${label} was added.`)
    } catch (error) {
      return again(refusal(error, 'key', 'validation'))
    }
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

  const pageOf = ({ params }: FastifyRequest<IdRequest>) => `${PATH}/${encodeURIComponent(params.id)}`

  app.get<IdRequest>(`${PATH}/:id`, async (request, reply) => showOne(request, reply, managing(requireCaller(request))))

  app.post<IdRequest>(`${PATH}/:id`, async (request, reply) => {
    const caller = managing(requireForm(request, pageOf(request)))
    const { id, entityType, key, fieldType } = customFields.get(caller, idOf(request, 'custom field'))
    const entries = { ...entriesOf(formOf(request)), entityType, key, fieldType }
    const again = (refused: Refused) => showOne(request, reply, caller, { entries, refused })
    const body = readable(CustomFieldReplace, entries)
    if ('refused' in body) return again(body.refused)
    try {
      const { label } = customFields.update(caller, id, body.data)
      return back(request, reply, PATH, `The field ${label} was changed.`)
    } catch (error) {
      return again(refusal(error, 'key', 'validation'))
    }
  })

  app.post<IdRequest>(`${PATH}/:id/delete`, async (request, reply) => {
    const caller = managing(requireForm(request, pageOf(request)))
    customFields.remove(caller, idOf(request, 'custom field'))
    return back(request, reply, PATH, 'The field was deleted, with all its values.')
  })
}
