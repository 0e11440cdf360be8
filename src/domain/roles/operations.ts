import { one, page, singlePage, TextIdParams } from '../../contract/common.ts'
import { operation } from '../../contract/operation.ts'
import { Role, RoleReplace, RoleWithMappings, RoleWrite, UpdatedRole } from './contract.ts'
import type { RoleService } from './service.ts'

export function roleOperations(roles: RoleService) {
  return [
    operation({
      id: 'listRoles',
      route: 'GET /roles',
      tag: 'Administration',
      summary: 'List the roles',
      description: 'All roles, sorted by name; not paginated.',
      input: {},
      output: page(Role),
      tool: false,
      run: (caller) => singlePage(roles.list(caller)),
    }),
    operation({
      id: 'getRole',
      route: 'GET /roles/{id}',
      tag: 'Administration',
      summary: 'Read a role',
      description: 'Includes permissions, mapped claim values and the number of users.',
      input: { params: TextIdParams },
      output: one(RoleWithMappings),
      tool: false,
      run: (caller, { params }) => ({ data: roles.get(caller, params.id) }),
    }),
    operation({
      id: 'createRole',
      route: 'POST /roles',
      tag: 'Administration',
      summary: 'Create a role',
      description: 'You can only grant permissions that you have.',
      input: { body: RoleWrite },
      output: one(RoleWithMappings),
      created: ({ data }) => data.id,
      conflicts: true,
      tool: false,
      run: async (caller, { body }) => ({ data: await roles.create(caller, body) }),
    }),
    operation({
      id: 'updateRole',
      route: 'PUT /roles/{id}',
      tag: 'Administration',
      summary: 'Replace a role',
      description:
        'You must have every current and every new permission of the role. A claim value that is mapped to another role is a conflict.',
      input: { params: TextIdParams, body: RoleReplace },
      output: one(UpdatedRole),
      conflicts: true,
      tool: false,
      run: async (caller, { params, body }) => ({
        data: { ...(await roles.update(caller, params.id, body)), updated: true as const },
      }),
    }),
    operation({
      id: 'deleteRole',
      route: 'DELETE /roles/{id}',
      tag: 'Administration',
      summary: 'Delete a role',
      description: 'The default role and roles with users cannot be deleted.',
      input: { params: TextIdParams },
      output: null,
      conflicts: true,
      tool: false,
      run: (caller, { params }) => roles.remove(caller, params.id),
    }),
  ]
}
