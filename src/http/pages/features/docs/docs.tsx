import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { scopeNames } from '../../../../access/scopes.ts'
import { notFound } from '../../../../lib/errors.ts'
import { Labelled } from '../../components/fields.tsx'
import { SearchForm } from '../../components/forms.tsx'
import { Pairs } from '../../components/lists.tsx'
import { Section } from '../../components/section.tsx'
import { assets } from '../../framework/assets.ts'
import type { PageContext } from '../../framework/context.ts'
import { queryOf } from '../../framework/form.ts'
import { Layout, sendPage } from '../../framework/layout.tsx'
import {
  LocalizationContext,
  localizationOf,
  useEnglish,
  useScriptTexts,
  useTexts,
} from '../../framework/localization.ts'
import { callerOf } from '../../framework/session.ts'
import { visitOf } from '../../framework/signed-in.ts'
import { type DocumentedOperation, type Reference, referenceOf } from './document.ts'
import { GettingStarted } from './getting-started.tsx'
import { anchorOf, OperationReference } from './operation-page.tsx'
import { Prose } from './prose.tsx'

function OperationLine({ basePath, operation }: { basePath: string; operation: DocumentedOperation }) {
  const t = useTexts().docs
  const { id, method, path, summary, open, scopes: required, conditionalScopes } = operation
  return (
    <li id={id}>
      <a href={`${basePath}/docs/${id}`} lang={useEnglish()}>
        {summary}
      </a>
      <span class="endpoint">
        <code class={`method ${method.toLowerCase()}`}>{method}</code> <code>{path}</code>
      </span>
      <span class="needs">
        {open && t.public}
        {!open && required.length === 0 && t.anyCredential}
        {required.map((scope) => (
          <code key={scope}>{scope}</code>
        ))}
        {conditionalScopes.length > 0 && <span>{t.someAlsoNeed}</span>}
        {conditionalScopes.map((scope) => (
          <code key={scope}>{scope}</code>
        ))}
      </span>
    </li>
  )
}

const MAX_QUERY_LENGTH = 100

const wordsOf = (query: string) => query.toLowerCase().split(/\s+/).filter(Boolean)

/** Operations that contain every word of the query. */
function matching(groups: Reference['groups'], query: string): Reference['groups'] {
  const words = wordsOf(query)
  const hasAll = ({ id, method, path, summary, scopes: required, conditionalScopes }: DocumentedOperation) => {
    const text = [id, method, path, summary, ...required, ...conditionalScopes].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return groups
    .map((group) => ({ ...group, operations: group.operations.filter(hasAll) }))
    .filter(({ operations }) => operations.length > 0)
}

function Groups({ basePath, groups }: { basePath: string; groups: Reference['groups'] }) {
  const lang = useEnglish()
  return (
    <>
      {groups.map(({ name, description, operations }) => (
        <Section key={name} id={anchorOf(name)} title={name} lang={lang}>
          <p class="quiet" lang={lang}>
            {description}
          </p>
          <ul class="operations card">
            {operations.map((operation) => (
              <OperationLine key={operation.id} basePath={basePath} operation={operation} />
            ))}
          </ul>
        </Section>
      ))}
    </>
  )
}

/** The script filters the list while typing. */
function OperationSearch({ basePath, query = '' }: { basePath: string; query?: string }) {
  const t = useTexts().docs
  return (
    <div data-operation-search data-texts={useScriptTexts('docsSearch')}>
      <SearchForm action={`${basePath}/docs`} submit={t.submitSearch}>
        <Labelled id="operation-search" name="q" label={t.search}>
          {(control) => (
            <input
              type="search"
              {...control}
              value={query}
              placeholder={t.searchExample}
              maxLength={MAX_QUERY_LENGTH}
              autocomplete="off"
            />
          )}
        </Labelled>
      </SearchForm>
      <p class="unseen" role="status" />
    </div>
  )
}

interface OverviewProps {
  basePath: string
  baseUrl: string
  reference: Reference
}

function FoundOperations({ basePath, groups, query }: Omit<OverviewProps, 'baseUrl' | 'reference'> & FoundProps) {
  const t = useTexts().docs
  const found = matching(groups, query)
  const count = found.reduce((sum, { operations }) => sum + operations.length, 0)
  return (
    <>
      <h1>{t.title}</h1>
      <OperationSearch basePath={basePath} query={query} />
      <p>
        {count === 0 ? t.noneFound : t.found({ count })} <a href={`${basePath}/docs`}>{t.showAll}</a>
      </p>
      <Groups basePath={basePath} groups={found} />
    </>
  )
}

interface FoundProps {
  groups: Reference['groups']
  query: string
}

function Overview({ basePath, baseUrl, reference: { introduction, groups } }: OverviewProps) {
  const texts = useTexts()
  const t = texts.docs
  const descriptions = texts.messages.scopes
  const lang = useEnglish()
  const contents = [
    ...groups.map(({ name }) => ({ anchor: anchorOf(name), name, lang })),
    { anchor: 'scopes', name: t.scopes },
    { anchor: 'getting-started', name: t.start.title },
  ]
  return (
    <>
      <h1>{t.title}</h1>
      <p>
        {t.introduction({
          address: `${baseUrl}/api/v1`,
          code: (text) => <code>{text}</code>,
          document: (text) => <a href={`${basePath}/api/v1/openapi.yaml`}>{text}</a>,
          start: (text) => <a href="#getting-started">{text}</a>,
        })}
      </p>
      <OperationSearch basePath={basePath} />
      <nav aria-label={t.onThisPage} class="contents">
        <ul>
          {contents.map(({ anchor, name, ...link }) => (
            <li key={anchor}>
              <a href={`#${anchor}`} {...link}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Prose text={introduction} />
      <Groups basePath={basePath} groups={groups} />
      <Section id="scopes" title={t.scopes}>
        <p class="quiet">{t.scopesHint}</p>
        <Pairs
          class="facts wide scope-list"
          pairs={scopeNames.map((name) => [<code key={name}>{name}</code>, descriptions[name]])}
        />
      </Section>
      <GettingStarted basePath={basePath} baseUrl={baseUrl} />
    </>
  )
}

/** The public API reference. The document does not change while the server runs, so each page is rendered once per language. */
export async function docs(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, baseUrl, openApi } = context
  const rendered = new Map<string, string>()
  let cachedReference: Reference | undefined

  function reference(): Reference {
    cachedReference ??= referenceOf(openApi())
    return cachedReference
  }

  /** Only the frame depends on the user. */
  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    /** Undefined for search results. */
    name: string | undefined,
    title: string,
    draw: () => JSX.Element,
  ) {
    const localization = localizationOf(request)
    const render = () => renderToString(<LocalizationContext value={localization}>{draw()}</LocalizationContext>)
    const key = `${localization.language} ${name}`
    const html = rendered.get(key) ?? render()
    if (name !== undefined) rendered.set(key, html)
    const caller = callerOf(request)
    return sendPage(
      reply,
      200,
      <Layout
        {...(caller ? visitOf(context, request, reply, caller).frame : { basePath })}
        title={title}
        place="docs"
        below={Boolean(name)}
        scripts={[assets.tryIt]}
      >
        {/* Escaped when it was rendered. */}
        <div class="reference" dangerouslySetInnerHTML={{ __html: html }} />
      </Layout>,
    )
  }

  app.get('/docs', async (request, reply) => {
    const { title } = localizationOf(request).texts.docs
    const query = (queryOf(request).get('q') ?? '').trim().slice(0, MAX_QUERY_LENGTH)
    if (query === '') {
      return send(request, reply, '', title, () => (
        <Overview basePath={basePath} baseUrl={baseUrl} reference={reference()} />
      ))
    }
    return send(request, reply, undefined, title, () => (
      <FoundOperations basePath={basePath} groups={reference().groups} query={query} />
    ))
  })

  app.get<{ Params: { operation: string } }>('/docs/:operation', async (request, reply) => {
    const operation = reference().operations.get(request.params.operation)
    if (!operation) throw notFound('operation')
    const title = localizationOf(request).texts.docs.operation.title({ summary: operation.summary })
    return send(request, reply, operation.id, title, () => (
      <OperationReference basePath={basePath} baseUrl={baseUrl} reference={reference()} operation={operation} />
    ))
  })
}
