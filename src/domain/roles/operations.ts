import { one, page, singlePage, TextIdParams } from '../../contract/common.ts'
import { operation } from '../../contract/operation.ts'
import { Role, RoleReplace, RoleWithMappings, RoleWrite, UpdatedRole } from './contract.ts'
import type { RoleService } from './service.ts'

const administration = { tag: 'Administration', tool: false } as const

export function roleOperations(roles: RoleService) {
  return [
    operation({
      id: 'listRoles',
      route: 'GET /roles',
      ...administration,
      summary: 'List the roles',
      description: 'All roles, sorted by name; not paginated.',
      input: {},
      output: page(Role),
      run: (caller) => singlePage(roles.list(caller)),
    }),
    operation({
      id: 'getRole',
      route: 'GET /roles/{id}',
      ...administration,
      summary: 'Read a role',
      description: 'Includes permissions, mapped claim values and the number of users.',
      input: { params: TextIdParams },
      output: one(RoleWithMappings),
      run: (caller, { params }) => ({ data: roles.get(caller, params.id) }),
    }),
    operation({
      id: 'createRole',
      route: 'POST /roles',
      ...administration,
      summary: 'Create a role',
      description: 'You can only grant permissions that you have.',
      input: { body: RoleWrite },
      output: one(RoleWithMappings),
      created: ({ data }) => data.id,
      conflicts: true,
      run: async (caller, { body }) => ({ data: await roles.create(caller, body) }),
    }),
    operation({
      id: 'updateRole',
      route: 'PUT /roles/{id}',
      ...administration,
      summary: 'Replace a role',
      description:
        'You must have every current and every new permission of the role. A claim value that is mapped to another role is a conflict.',
      input: { params: TextIdParams, body: RoleReplace },
      output: one(UpdatedRole),
      conflicts: true,
      run: async (caller, { params, body }) => ({
        data: { ...(await roles.update(caller, params.id, body)), updated: true as const },
      }),
    }),
    operation({
      id: 'deleteRole',
      route: 'DELETE /roles/{id}',
      ...administration,
      summary: 'Delete a role',
      description: 'The default role and roles with users cannot be deleted.',
      input: { params: TextIdParams },
      output: null,
      conflicts: true,
      run: (caller, { params }) => roles.remove(caller, params.id),
    }),
  ]
}
