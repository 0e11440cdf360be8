import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../../access/caller.ts'
import { type User, UserChange, UserWrite } from '../../../../domain/users/contract.ts'
import { forbidden } from '../../../../lib/errors.ts'
import { fold, isWithinLength } from '../../../../lib/text.ts'
import { ErrorSummary, Field } from '../../components/fields.tsx'
import { formFields, PostForm, SearchForm } from '../../components/forms.tsx'
import { ListTable } from '../../components/lists.tsx'
import { passwordSpecs } from '../../components/password-form.ts'
import type { Frame, PageContext } from '../../framework/context.ts'
import { crudPages, type FormState } from '../../framework/crud.ts'
import { emptyForm, formSpecs, readForm, requireAny, submit } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import type { IdRequest, Visit } from '../../framework/signed-in.ts'
import type { PageTexts } from '../../texts/languages.ts'
import {
  type AccountEntries,
  accountSpecs,
  pageOf,
  type RoleNames,
  roleOptions,
  USERS_PATH,
  UserPage,
} from './user-page.tsx'

const MAX_SHOWN = 100
/** Shorter lists have no search field. */
const MIN_SEARCHABLE = 12
/** Longer than any name. */
const MAX_QUERY_LENGTH = 200

const NewPassword = UserChange.pick({ password: true }).required()

function newUserSpecs({ users: t, user }: PageTexts['admin']) {
  const { username, roleId } = accountSpecs(user)
  return formSpecs({
    username: { ...username, hint: t.usernameHint },
    displayName: { id: 'display-name', label: t.name, hint: t.nameHint },
    password: {
      id: 'password',
      label: t.password,
      hint: t.passwordHint,
      type: 'password',
      required: true,
      autocomplete: 'new-password',
    },
    roleId: { ...roleId, hint: t.roleHint },
  })
}

interface UsersProps extends Frame, FormState<AccountEntries> {
  query: string
  /** Undefined if the viewer may not list accounts. */
  found: { total: number; matching: number; users: User[] } | undefined
  userId: string
  /** Undefined if the viewer may not create accounts. */
  assignableRoles: RoleNames | undefined
}

function UserList({ basePath, query, found, userId }: UsersProps & { found: NonNullable<UsersProps['found']> }) {
  const t = useTexts().admin.users
  const { total, matching, users } = found
  return (
    <>
      {(total > MIN_SEARCHABLE || query !== '') && (
        <SearchForm action={basePath + USERS_PATH} submit={t.search}>
          <Field id="q" name="q" label={t.searchLabel} input={{ type: 'search', value: query }} />
        </SearchForm>
      )}
      {users.length === 0 ? (
        <p class="card empty">{t.noMatch({ query })}</p>
      ) : (
        <ListTable
          caption={t.accounts}
          stacked
          rows={users}
          columns={[
            {
              title: t.name,
              names: true,
              cell: ({ id, displayName }) => (
                <>
                  <a href={basePath + pageOf(id)}>{displayName}</a>
                  {id === userId && <span class="tag">{t.you}</span>}
                </>
              ),
            },
            { title: t.username, cell: ({ username }) => username },
            { title: t.role, cell: ({ isOwner, roleName }) => (isOwner ? t.owner : (roleName ?? '')) },
          ]}
        />
      )}
      {matching > users.length && <p class="quiet">{t.firstOf({ shown: users.length, matching })}</p>}
    </>
  )
}

function UsersPage(props: UsersProps) {
  const { query, found, userId, assignableRoles, entries, fieldErrors, ...frame } = props
  const texts = useTexts().admin
  const t = texts.users
  const specs = newUserSpecs(texts)
  const field = formFields(specs, { ...emptyForm(specs), ...entries }, fieldErrors)
  return (
    <Layout {...frame} title={t.title} fieldErrors={fieldErrors} place="users">
      <h1>{t.title}</h1>
      <ErrorSummary fieldErrors={fieldErrors} fields={specs} />
      {found && <UserList {...props} found={found} />}
      {assignableRoles && (
        <details class="new" open={entries !== undefined || found === undefined}>
          <summary class="button">{t.newUser}</summary>
          <PostForm action={frame.basePath + USERS_PATH} csrf={frame.viewer.csrf} submit={t.create}>
            <div class="pairs">
              {field('username')}
              {field('displayName')}
              {field('password')}
              {field('roleId', { options: roleOptions(assignableRoles) })}
            </div>
          </PostForm>
        </details>
      )}
    </Layout>
  )
}

/** Leaves out empty fields, except for the required username. */
const bodyOf = ({ username, ...entries }: AccountEntries) => ({
  ...Object.fromEntries(Object.entries(entries).filter(([, text]) => text.trim() !== '')),
  username: username.trim(),
})

export async function userPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { users, roles } = context

  function search(caller: Caller, query: string) {
    if (!caller.permissions.has('users.directory.read')) return undefined
    const wanted = isWithinLength(query, MAX_QUERY_LENGTH) ? fold(query) : undefined
    const all = users.list(caller)
    const matching = all.filter(
      ({ username, displayName, roleName }) =>
        wanted !== undefined && fold(`${username} ${displayName} ${roleName ?? ''}`).includes(wanted),
    )
    return { total: all.length, matching: matching.length, users: matching.slice(0, MAX_SHOWN) }
  }

  /** The role of the account, and those that the viewer may assign. */
  function rolesFor(caller: Caller, { roleId, roleName }: User): RoleNames {
    const current = roleId === null ? [] : [{ id: roleId, name: roleName ?? roleId }]
    return [...current, ...roles.assignable(caller, 'existing').filter(({ id }) => id !== roleId)]
  }

  function edit({ caller, frame }: Visit, id: string, state: FormState<AccountEntries> & { part?: 'password' }) {
    const account = users.get(caller, id)
    return (
      <UserPage
        {...frame}
        part={state.entries ? 'account' : 'delete'}
        {...state}
        account={account}
        userId={caller.userId}
        roles={rolesFor(caller, account)}
      />
    )
  }

  const pages = crudPages<AccountEntries, string>(app, context, {
    path: USERS_PATH,
    list({ caller, request, frame }, state) {
      requireAny(caller, 'users.directory.read', 'users.create')
      const { q } = request.query as { q?: unknown }
      const query = typeof q === 'string' ? q.trim() : ''
      return (
        <UsersPage
          {...frame}
          {...state}
          query={query}
          found={search(caller, query)}
          userId={caller.userId}
          assignableRoles={caller.permissions.has('users.create') ? roles.assignable(caller, 'new') : undefined}
        />
      )
    },
    create({ caller, form, texts, back }, again) {
      requireAny(caller, 'users.create')
      const { password, ...entries } = readForm(newUserSpecs(texts.admin), form)
      return submit({
        texts,
        schema: UserWrite,
        body: { ...bodyOf(entries), password },
        unique: 'username',
        work: (body) => users.create(caller, body),
        again: again(entries),
        done: ({ username }) => back(USERS_PATH, texts.admin.users.created({ username })),
      })
    },
    find: ({ request }) => request.params.id,
    edit,
    update({ caller, form, texts, back }, id, again) {
      const t = texts.admin.user
      const entries = readForm(accountSpecs(t), form)
      return submit({
        texts,
        schema: UserChange,
        body: bodyOf(entries),
        unique: 'username',
        work: (body) => users.update(caller, id, body),
        again: again(entries),
        done: ({ username }) => back(pageOf(id), t.changed({ username })),
      })
    },
    async remove({ caller, texts }, id) {
      // The security settings ask for the password.
      if (id === caller.userId) throw forbidden(texts.admin.user.deleteSelf)
      await users.remove(caller, id)
    },
    removed: (texts) => texts.admin.user.deleted,
  })

  pages.post<IdRequest>(`${USERS_PATH}/:id/password`, (visit) => {
    const { caller, form, request, texts, back } = visit
    const { id } = request.params
    return submit({
      texts,
      schema: NewPassword,
      body: readForm(passwordSpecs, form),
      unique: 'password',
      work: (body) => users.update(caller, id, body),
      again: ({ status, fieldErrors }) => visit.send(edit(visit, id, { fieldErrors, part: 'password' }), status),
      done: ({ username }) => back(pageOf(id), texts.admin.user.passwordSet({ username })),
    })
  })
}
