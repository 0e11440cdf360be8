import { one, page, TextIdParams, wholeList } from '../../contract/common.ts'
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
      description: 'All roles by name; the list has one page.',
      input: {},
      output: page(Role),
      tool: false,
      run: (caller) => wholeList(roles.list(caller)),
    }),
    operation({
      id: 'getRole',
      route: 'GET /roles/{id}',
      tag: 'Administration',
      summary: 'Read a role',
      description: 'One role, with its permissions, the claim values that give it, and the number of its users.',
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
      description: 'Only permissions that the caller holds can be given.',
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
        'The caller must hold every permission that the role has now and every one that it gets. A claim value that another role has is a conflict.',
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
      description: 'Refused for the default role and for a role that has users.',
      input: { params: TextIdParams },
      output: null,
      conflicts: true,
      tool: false,
      run: (caller, { params }) => roles.remove(caller, params.id),
    }),
  ]
}
