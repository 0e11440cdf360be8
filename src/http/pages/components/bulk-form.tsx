import { MAX_NAME_LENGTH } from '../../../domain/trips/contract.ts'
import type { Frame, PageContext, Viewer } from '../framework/context.ts'
import type { Option } from '../framework/forms.ts'
import { useTexts } from '../framework/localization.ts'
import { Field, SelectField } from './fields.tsx'
import { Form } from './forms.tsx'
import { classOptions, reasonOptions } from './seat.ts'

type Holder = Pick<Viewer, 'permissions'>

/** Class and reason belong to a passenger of the flight. */
const canChange = ({ permissions }: Holder): boolean =>
  permissions.has('flight.update.own') && permissions.has('flight.passengers.manage.own')

const canDelete = ({ permissions }: Holder): boolean =>
  permissions.has('flight.delete.own') && permissions.has('flight.create.own')

/** Deleting several flights is offered only if it can be undone. */
export const bulkActionsOf = (
  caller: Holder,
  { deletedFlights }: Pick<PageContext, 'deletedFlights'>,
  trips: readonly Option[],
) => ({
  /** Undefined without permission to add flights to them. */
  trips: caller.permissions.has('flight.update.own') ? trips : undefined,
  change: canChange(caller),
  delete: deletedFlights.days > 0 && canDelete(caller),
})

export type BulkActions = ReturnType<typeof bulkActionsOf>

/** An empty value keeps what the flights have, `none` removes it. */
const withoutChange = ([none, ...options]: readonly Option[], keep: string): Option[] => [
  { value: '', label: keep },
  ...options,
  { ...none!, value: 'none' },
]

export const BULK_FORM = 'bulk'

/** First in the form, so that Enter in the name submits it. */
function AddToTrip({ trips }: { trips: readonly Option[] }) {
  const t = useTexts().flightList.bulk
  const options = [{ value: '', label: t.newTrip }, ...trips]
  return (
    <details class="to-trip">
      <summary class="button">{t.addToTrip}</summary>
      <div>
        <SelectField id="bulk-trip" name="trip" label={t.trip} value="" options={options} />
        <Field
          id="bulk-trip-name"
          name="tripName"
          label={t.tripName}
          class="field new-trip"
          input={{ maxLength: MAX_NAME_LENGTH, autocomplete: 'off' }}
        />
        <button class="primary" type="submit" name="action" value="trip">
          {t.addChosen}
        </button>
      </div>
    </details>
  )
}

/** Its fold shows the checkboxes of the log, which name this form. */
export function BulkForm({ basePath, viewer, actions }: Pick<Frame, 'basePath' | 'viewer'> & { actions: BulkActions }) {
  const texts = useTexts()
  const t = texts.flightList.bulk
  const { selected, selectAll, selectNone } = t
  const data = JSON.stringify({ selected: selected({ count: '{count}' }), selectAll, selectNone })
  return (
    <Form
      id={BULK_FORM}
      class="bulk-form"
      method="post"
      action={`${basePath}/flights`}
      hidden={{ csrf: viewer.csrf, next: viewer.page }}
      data-bulk={data}
    >
      <details class="bulk">
        <summary class="button">
          <span class="closed">{t.select}</span>
          <span class="opened">{t.done}</span>
        </summary>
        <div>
          <p>
            <span role="status" />{' '}
            <button class="plain" type="button" data-all hidden>
              {t.selectAll}
            </button>
          </p>
          {actions.trips && <AddToTrip trips={actions.trips} />}
          {actions.change && (
            <>
              <SelectField
                id="bulk-class"
                name="seatClass"
                label={t.seatClass}
                value=""
                options={withoutChange(classOptions(texts), t.keep)}
              />
              <SelectField
                id="bulk-reason"
                name="flightReason"
                label={t.flightReason}
                value=""
                options={withoutChange(reasonOptions(texts), t.keep)}
              />
              <button class="primary" type="submit">
                {t.change}
              </button>
            </>
          )}
          {actions.delete && (
            <button class="danger" type="submit" name="action" value="delete">
              {t.delete}
            </button>
          )}
        </div>
      </details>
    </Form>
  )
}
