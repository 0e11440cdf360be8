import type { Caller } from '../../../../access/caller.ts'
import type { Scope } from '../../../../access/scopes.ts'
import type { ConsentRequest } from '../../../../domain/oauth/authorize.ts'
import { isLoopback, redirectHost } from '../../../../domain/oauth/parameters.ts'
import { ButtonForm, PostForm } from '../../components/forms.tsx'
import { Pairs } from '../../components/lists.tsx'
import { ScopeChoices } from '../../components/scope-choices.tsx'
import { Layout } from '../../framework/layout.tsx'

interface Props {
  basePath: string
  baseUrl: string
  user: Caller
  consent: ConsentRequest
  /** What the role of the user lets them grant. */
  offered: readonly Scope[]
  selected: readonly Scope[]
  /** Granted before and not asked for now. */
  previous: readonly Scope[]
  csrf: string
  signOutCsrf: string
  here: string
}

/** Asks the signed-in user what an application may do; nothing is approved by itself. */
export function ConsentPage(props: Props) {
  const { basePath, baseUrl, user, consent, offered, selected, previous, csrf, signOutCsrf, here } = props
  const { pending, client } = consent
  const refused = pending.scopes.filter((scope) => !(offered as readonly string[]).includes(scope))
  const kept = previous.filter((scope) => offered.includes(scope))
  const first = [...selected, ...kept]
  return (
    <Layout title={`Connect ${client.name} – Paxlog`} basePath={basePath}>
      <h1>
        Connect <bdi>{client.name}</bdi>?
      </h1>
      <p>
        An application that calls itself <strong dir="auto">{client.name}</strong> asks for access to your flight log.
        The name is <strong>unverified</strong>: anybody can choose it.
      </p>
      <Pairs
        class="facts"
        pairs={[
          ['It will send you to', <strong>{redirectHost(pending.redirectUri)}</strong>],
          ['It will use', <code>{pending.resource}</code>],
          ['You are signed in as', `${user.displayName} (${user.username})`],
        ]}
      />
      {isLoopback(pending.redirectUri) && (
        <p class="warning">The answer goes to a program on your own computer. Go on only if you started it yourself.</p>
      )}
      {baseUrl.startsWith('http:') && (
        <p class="warning">This instance is reached over plain http: what you approve travels unprotected.</p>
      )}
      <PostForm
        action={`${basePath}/oauth/consent`}
        csrf={csrf}
        hidden={{ id: pending.id }}
        submit={
          <>
            <button class="primary" type="submit" name="decision" value="approve">
              Approve
            </button>
            <button type="submit" name="decision" value="deny">
              Deny
            </button>
          </>
        }
      >
        <h2>What it may do</h2>
        <p class="quiet">
          Untick what you do not want.
          {kept.length > 0 && ' What you granted before and do not tick now ends with your approval.'}
        </p>
        {refused.length > 0 && (
          <p class="warning">It also asked for what your role cannot grant: {refused.join(', ')}.</p>
        )}
        <ScopeChoices
          offered={offered.filter((scope) => first.includes(scope))}
          chosen={new Set(selected)}
          marked={{ scopes: kept, word: 'granted before' }}
        />
        <details class="more">
          <summary class="fold">Grant more than it asked for</summary>
          <ScopeChoices offered={offered.filter((scope) => !first.includes(scope))} chosen={new Set()} />
        </details>
      </PostForm>
      <ButtonForm action={`${basePath}/logout`} csrf={signOutCsrf} next={here} class="plain">
        Not {user.displayName}? Sign in as somebody else
      </ButtonForm>
    </Layout>
  )
}
