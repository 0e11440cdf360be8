import { one, page, TextIdParams, wholeList } from '../../contract/common.ts'
import { operation } from '../../contract/operation.ts'
import { User, UserChange, UserWrite } from './contract.ts'
import type { UserService } from './service.ts'

export function userOperations(users: UserService) {
  return [
    operation({
      id: 'listUsers',
      route: 'GET /users',
      tag: 'Administration',
      summary: 'List the users',
      description: 'Everybody with an account, by user name; the list has one page.',
      input: {},
      output: page(User),
      tool: false,
      run: (caller) => wholeList(users.list(caller)),
    }),
    operation({
      id: 'getUser',
      route: 'GET /users/{id}',
      tag: 'Administration',
      summary: 'Read a user',
      description: 'One account, with whether the caller may act on it.',
      input: { params: TextIdParams },
      output: one(User),
      tool: false,
      run: (caller, { params }) => ({ data: users.get(caller, params.id) }),
    }),
    operation({
      id: 'createUser',
      route: 'POST /users',
      tag: 'Administration',
      summary: 'Create an account',
      description:
        'The default role may be given by everybody who may create accounts, another one only by a caller who holds all its permissions.',
      input: { body: UserWrite },
      output: one(User),
      created: ({ data }) => data.id,
      conflicts: true,
      tool: false,
      run: async (caller, { body }) => ({ data: await users.create(caller, body) }),
    }),
    operation({
      id: 'updateUser',
      route: 'PUT /users/{id}',
      tag: 'Administration',
      summary: 'Change an account',
      description:
        'A `password` sets a new one and ends the sign-ins and OAuth tokens of that user; API keys stay. Neither password nor role can be changed for oneself or for the owner. Others can be changed only by a caller whose permissions include all of theirs and more.',
      input: { params: TextIdParams, body: UserChange },
      output: one(User),
      conflicts: true,
      tool: false,
      run: async (caller, { params, body }) => ({ data: await users.update(caller, params.id, body) }),
    }),
    operation({
      id: 'deleteUser',
      route: 'DELETE /users/{id}',
      tag: 'Administration',
      summary: 'Delete an account',
      description:
        'Everything of that user goes with it, also flights on which nobody else has an account. The owner cannot be deleted. Other accounts can be deleted only by a caller whose permissions include all of theirs and more. Your own account goes here with the permission `users.delete`, and without it on the page of the security settings.',
      input: { params: TextIdParams },
      output: null,
      tool: false,
      run: (caller, { params }) => users.remove(caller, params.id),
    }),
  ]
}
