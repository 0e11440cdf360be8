import { IdParams, one, page, singlePage } from '../../contract/common.ts'
import { operation } from '../../contract/operation.ts'
import { CustomField, CustomFieldQuery, CustomFieldReplace, CustomFieldWrite } from './contract.ts'
import type { CustomFieldService } from './service.ts'

const tag = 'Reference data'

export function customFieldOperations(fields: CustomFieldService) {
  return [
    operation({
      id: 'listCustomFields',
      route: 'GET /custom-fields',
      tag,
      summary: 'List the custom-field definitions',
      description:
        'Additional fields of flights and passengers on this instance; use their `key` in `customFields`. Ordered by entity type, order, label and id.',
      input: { query: CustomFieldQuery },
      output: page(CustomField),
      // MCP sends a boolean.
      early: ({ includeInactive }) => ({ inactive: String(includeInactive) === 'true' }),
      run: (caller, { query }) => singlePage(fields.list(caller, query.includeInactive)),
    }),
    operation({
      id: 'getCustomField',
      route: 'GET /custom-fields/{id}',
      tag,
      summary: 'Read a custom-field definition',
      description: 'Inactive definitions are returned too.',
      input: { params: IdParams },
      output: one(CustomField),
      run: (caller, { params }) => ({ data: fields.get(caller, params.id) }),
    }),
    operation({
      id: 'createCustomField',
      route: 'POST /custom-fields',
      tag,
      summary: 'Add a custom-field definition',
      description:
        'It applies to the flights or passengers of all users. Entity type, key and field type cannot change later.',
      input: { body: CustomFieldWrite },
      output: one(CustomField),
      created: ({ data }) => data.id,
      conflicts: true,
      run: async (caller, { body }) => ({ data: await fields.create(caller, body) }),
    }),
    operation({
      id: 'updateCustomField',
      route: 'PUT /custom-fields/{id}',
      tag,
      summary: 'Replace a custom-field definition',
      description: 'Every member is set, absent ones to their default; entity type, key and field type cannot change.',
      input: { params: IdParams, body: CustomFieldReplace },
      output: one(CustomField),
      run: async (caller, { params, body }) => ({ data: await fields.update(caller, params.id, body) }),
    }),
    operation({
      id: 'deleteCustomField',
      route: 'DELETE /custom-fields/{id}',
      tag,
      summary: 'Delete a custom-field definition',
      description: 'Also deletes its values on flights and passengers. To keep them, set `active` to false instead.',
      input: { params: IdParams },
      output: null,
      run: (caller, { params }) => fields.remove(caller, params.id),
    }),
  ]
}
