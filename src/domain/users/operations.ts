import { one, page, singlePage, TextIdParams } from '../../contract/common.ts'
import { operation } from '../../contract/operation.ts'
import { User, UserChange, UserWrite } from './contract.ts'
import type { UserService } from './service.ts'

const administration = { tag: 'Administration', tool: false } as const

export function userOperations(users: UserService) {
  return [
    operation({
      id: 'listUsers',
      route: 'GET /users',
      ...administration,
      summary: 'List the users',
      description: 'All users, sorted by username; not paginated.',
      input: {},
      output: page(User),
      run: (caller) => singlePage(users.list(caller)),
    }),
    operation({
      id: 'getUser',
      route: 'GET /users/{id}',
      ...administration,
      summary: 'Read a user',
      description: 'Includes whether the caller may change or delete the account.',
      input: { params: TextIdParams },
      output: one(User),
      run: (caller, { params }) => ({ data: users.get(caller, params.id) }),
    }),
    operation({
      id: 'createUser',
      route: 'POST /users',
      ...administration,
      summary: 'Create an account',
      description:
        'Anyone who may create accounts may assign the default role; another role requires all its permissions.',
      input: { body: UserWrite },
      output: one(User),
      created: ({ data }) => data.id,
      conflicts: true,
      run: async (caller, { body }) => ({ data: await users.create(caller, body) }),
    }),
    operation({
      id: 'updateUser',
      route: 'PUT /users/{id}',
      ...administration,
      summary: 'Change an account',
      description:
        'A new `password` ends the sessions and OAuth tokens of that user; API keys stay valid. You cannot change your own password or role here, nor those of the owner. You can change other users only if your permissions include all of theirs and more.',
      input: { params: TextIdParams, body: UserChange },
      output: one(User),
      conflicts: true,
      run: async (caller, { params, body }) => ({ data: await users.update(caller, params.id, body) }),
    }),
    operation({
      id: 'deleteUser',
      route: 'DELETE /users/{id}',
      ...administration,
      summary: 'Delete an account',
      description:
        'Deletes all data of that user, including flights without another user as a passenger. The owner cannot be deleted. You can delete other users only if your permissions include all of theirs and more. You can delete your own account with the permission `users.delete`, or on the page of the security settings.',
      input: { params: TextIdParams },
      output: null,
      run: (caller, { params }) => users.remove(caller, params.id),
    }),
  ]
}
