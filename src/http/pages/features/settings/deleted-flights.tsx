import type { FastifyInstance } from 'fastify'
import type { DeletedFlights } from '../../../../domain/flights/deleted/service.ts'
import { AppError } from '../../../../lib/errors.ts'
import { FlightDate, placeOf } from '../../components/flight-list.tsx'
import { RouteLabel } from '../../components/flight-parts.tsx'
import { ButtonForm, DangerForm } from '../../components/forms.tsx'
import { ListTable, Pagination } from '../../components/lists.tsx'
import type { Frame, PageContext } from '../../framework/context.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { type IdRequest, idOf, signedInPages } from '../../framework/signed-in.ts'

const PATH = '/settings/deleted'
const PAGE_SIZE = 25

interface Props extends Frame {
  deleted: DeletedFlights
  days: number
  isFirst: boolean
  can: { restore: boolean; delete: boolean }
}

type Item = DeletedFlights['items'][number]

function DeletedList({ deleted: { items }, can, basePath, viewer, formats }: Props) {
  const t = useTexts().settings.deletedFlights
  const pathOf = ({ id }: Item, action: string) => `${basePath}${PATH}/${id}/${action}`
  const columns = [
    {
      title: t.flight,
      names: true,
      cell: ({ flight }: Item) => (
        <>
          <span class="route deleted">
            <RouteLabel from={placeOf(flight.from)} to={placeOf(flight.to)} />
          </span>{' '}
          <span class="quiet">
            <FlightDate date={flight.date} precision={flight.datePrecision} formats={formats} />
          </span>
        </>
      ),
    },
    {
      title: t.deleted,
      cell: ({ deletedAt, deletedBy }: Item) => (
        <>
          <time dateTime={deletedAt}>{formats.moment(deletedAt)}</time>
          {deletedBy && <bdi class="beside">{deletedBy.username}</bdi>}
        </>
      ),
    },
    ...(can.restore || can.delete
      ? [
          {
            title: t.actions,
            cell: (item: Item) => (
              <>
                {can.restore && (
                  <ButtonForm action={pathOf(item, 'restore')} csrf={viewer.csrf}>
                    {t.restore}
                  </ButtonForm>
                )}
                {can.delete && (
                  <DangerForm
                    action={pathOf(item, 'delete')}
                    csrf={viewer.csrf}
                    summary={t.deletePermanently}
                    button={t.deletePermanently}
                  >
                    <p>{t.deletionWarning}</p>
                  </DangerForm>
                )}
              </>
            ),
          },
        ]
      : []),
  ]
  return <ListTable caption={t.title} stacked rows={items} columns={columns} />
}

function DeletedFlightsPage(props: Props) {
  const t = useTexts().settings.deletedFlights
  const { deleted, days, isFirst, basePath } = props
  const { items, nextCursor } = deleted
  return (
    <Layout {...props} title={t.title} place="deletedFlights">
      <h1>{t.title}</h1>
      <p class="quiet">{days === 0 ? t.notKept : t.introduction({ count: days })}</p>
      {items.length > 0 ? <DeletedList {...props} /> : <p>{t.none}</p>}
      {(!isFirst || nextCursor !== null) && (
        <Pagination
          label={t.title}
          back={!isFirst && { href: basePath + PATH, text: t.newest }}
          next={
            nextCursor !== null && {
              href: `${basePath}${PATH}?cursor=${encodeURIComponent(nextCursor)}`,
              text: t.older,
            }
          }
        />
      )}
    </Layout>
  )
}

/** Deleted flights, which can be restored or deleted permanently (contract 17.4). */
export async function deletedFlightPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { deletedFlights } = context
  const pages = signedInPages(app, context)

  pages.get<{ Querystring: { cursor?: string } }>(PATH, async ({ caller, request, frame, send }) => {
    const { cursor } = request.query
    const deleted = await deletedFlights.list(caller, {
      scope: 'mine',
      limit: PAGE_SIZE,
      cursor: typeof cursor === 'string' ? cursor : undefined,
    })
    const can = {
      restore: caller.permissions.has('flight.create.own'),
      delete: caller.permissions.has('flight.delete.own'),
    }
    const { days } = deletedFlights
    return send(<DeletedFlightsPage {...frame} {...{ deleted, days, can }} isFirst={cursor === undefined} />)
  })

  pages.post<IdRequest>(`${PATH}/:id/restore`, async ({ caller, request, texts, back }) => {
    const t = texts.settings.deletedFlights
    try {
      const { id } = await deletedFlights.restore(caller, idOf(request, 'flight'))
      return back(`/flights/${id}`, t.restored)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error
      return back(PATH, { text: t.airportMissing, isWarning: true })
    }
  })

  pages.post<IdRequest>(`${PATH}/:id/delete`, async ({ caller, request, texts, back }) => {
    await deletedFlights.removePermanently(caller, idOf(request, 'flight'))
    return back(PATH, texts.settings.deletedFlights.deletedPermanently)
  })
}
