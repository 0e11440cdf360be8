import { authorize } from '../../access/authorize.ts'
import type { Caller, CurrentCaller } from '../../access/caller.ts'
import { INLINE_ROW_LIMIT, type LongWrites } from '../../db/long-writes.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError, conflict, type ErrorDetail, notFound } from '../../lib/errors.ts'
import { english } from '../../messages/english.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { CustomField, CustomFieldReplace, CustomFieldWrite } from './contract.ts'
import { matchWithin, safePattern } from './pattern.ts'
import { customFieldStore } from './store.ts'
import { type Definition, isEmpty, validateValue } from './values.ts'

export type CustomFieldService = ReturnType<typeof customFieldService>

interface Dependencies {
  db: Db
  clock: Clock
  reference: ReferenceService
  longWrites: LongWrites
  currentCaller: CurrentCaller
}

export function customFieldService({ db, clock, reference, longWrites, currentCaller }: Dependencies) {
  const store = customFieldStore(db)
  const { records } = reference
  const removeMaybeLong = longWrites.declare({
    name: 'delete a custom field',
    run: removeNow,
    isLong: ({ id }) => store.hasValues(id, INLINE_ROW_LIMIT),
  })
  const changeMaybeLong = longWrites.declare({
    name: 'change a custom field',
    run: changeNow,
    // Flights contain only values of active fields.
    isLong: ({ id, body }) => store.find(id)?.active !== body.active && store.hasValues(id, INLINE_ROW_LIMIT),
  })

  function requireField(id: number): CustomField {
    const field = store.find(id)
    if (!field) throw notFound('custom field')
    return field
  }

  function requireValid(field: CustomFieldWrite, known: readonly ErrorDetail[] = []): void {
    const details = [...known]
    const addDetail = (path: string[], message: string, code: ErrorDetail['code'] = 'custom') =>
      details.push({ code, path, message })
    const isSelect = field.fieldType === 'select' || field.fieldType === 'multi-select'
    if (isSelect && field.options === null) addDetail(['options'], english.customFields.needsOptions)
    if (!isSelect && field.options !== null) addDetail(['options'], english.customFields.noOptions)
    const { regex } = field.validation ?? {}
    if (regex !== undefined && !safePattern(regex)) {
      addDetail(['validation', 'regex'], english.customFields.regex, 'invalid_format')
    }
    const isValidSoFar = details.length === known.length
    if (isValidSoFar && field.defaultValue !== null) {
      const error = isEmpty(field.defaultValue)
        ? ({ code: 'custom', message: english.customFields.emptyDefault } as const)
        : validateValue(field.defaultValue, field as Definition, records, matchWithin())
      if (error) addDetail(['defaultValue'], error.message, error.code)
    }
    if (details.length > 0) throw new AppError('validation_failed', english.customFields.notValid, { details })
  }

  function list(caller: Caller, includeInactive: boolean): CustomField[] {
    authorize(caller, 'listCustomFields', { inactive: includeInactive })
    return store.all().filter(({ active }) => active || includeInactive)
  }

  function get(caller: Caller, id: number): CustomField {
    authorize(caller, 'getCustomField', {})
    return requireField(id)
  }

  function create(caller: Caller, body: CustomFieldWrite): Promise<CustomField> {
    return write(db, 'accounts', () => {
      authorize(currentCaller(caller), 'createCustomField', {})
      requireValid(body)
      const taken = store.all().some(({ entityType, key }) => entityType === body.entityType && key === body.key)
      if (taken) throw conflict(english.customFields.keyTaken({ key: body.key }))
      const now = clock()
      return requireField(store.insert({ ...body, createdAt: now, updatedAt: now }))
    })
  }

  function update(caller: Caller, id: number, body: CustomFieldReplace): Promise<CustomField> {
    authorize(caller, 'updateCustomField', {})
    return changeMaybeLong({ caller, id, body })
  }

  function changeNow({ caller, id, body }: { caller: Caller; id: number; body: CustomFieldReplace }) {
    return write(db, 'accounts', () => {
      authorize(currentCaller(caller), 'updateCustomField', {})
      const field = requireField(id)
      const fixed = ['entityType', 'key', 'fieldType'] as const
      const changed = fixed
        .filter((name) => body[name] !== undefined && body[name] !== field[name])
        .map((name) => ({
          code: 'custom' as const,
          path: [name],
          message: english.customFields.fixed({ value: field[name] }),
        }))
      const { entityType, key, fieldType } = field
      const replaced = { ...body, entityType, key, fieldType }
      requireValid(replaced, changed)
      store.update(id, { ...replaced, updatedAt: clock() })
      return requireField(id)
    })
  }

  function remove(caller: Caller, id: number): Promise<void> {
    authorize(caller, 'deleteCustomField', {})
    return removeMaybeLong({ caller, id })
  }

  function removeNow({ caller, id }: { caller: Caller; id: number }): Promise<void> {
    return write(db, 'accounts', () => {
      authorize(currentCaller(caller), 'deleteCustomField', {})
      requireField(id)
      store.delete(id)
    })
  }

  const activeFor = (entity: CustomField['entityType']) =>
    store.all().filter(({ entityType, active }) => active && entityType === entity)

  const definitionsOf = (entity: CustomField['entityType']) =>
    store.all().filter(({ entityType }) => entityType === entity)

  return { list, get, create, update, remove, activeFor, definitionsOf }
}
