import type { FastifyInstance } from 'fastify'
import type { CodeProblem } from '../../../../domain/flights/code-check.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import { PostForm } from '../../components/forms.tsx'
import { ListTable, PageLinks } from '../../components/lists.tsx'
import { Crumb } from '../../components/section.tsx'
import type { PageContext } from '../../framework/context.ts'
import { fieldOf } from '../../framework/form.ts'
import type { Formats } from '../../framework/formats.ts'
import { requireAny } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { pageOfList, signedInPages } from '../../framework/signed-in.ts'

const REFERENCE = '/admin/reference'
const PATH = `${REFERENCE}/check`
const PAGE_SIZE = 50

const nameOf = (record: CodeProblem['record']) => [codeOf(record), record.name].filter(Boolean).join(' – ')

function Problem({ problem, date, formats }: { problem: CodeProblem; date: string; formats: Formats }) {
  const t = useTexts().admin.codeCheck
  const { record, validFrom, validUntil, replacement } = problem
  const isEarly = validFrom !== null && date < validFrom
  const day = formats.day((isEarly ? validFrom : validUntil)!)
  return (
    <p>
      {(isEarly ? t.from : t.until)({ name: nameOf(record), day })}{' '}
      {replacement
        ? t.replacement({ other: nameOf(replacement), name: (name) => <strong dir="auto">{name}</strong> })
        : t.noReplacement}
    </p>
  )
}

/** Flights whose airport or airline did not exist on their day. */
export async function codeCheckPages(app: FastifyInstance, { codeCheck, ...context }: PageContext): Promise<void> {
  const pages = signedInPages(app, { codeCheck, ...context })
  const { basePath } = context
  const address = basePath + PATH

  pages.get(PATH, ({ caller, request, frame, texts, send }) => {
    requireAny(caller, 'flight.update.any')
    const t = texts.admin.codeCheck
    const { page = 1 } = request.query as { page?: unknown }
    const part = pageOfList(Number(page), codeCheck.count(caller), PAGE_SIZE)
    const flights = codeCheck.list(caller, part)
    const correctable = flights.filter(({ problems }) => problems.some(({ replacement }) => replacement))
    const { csrf } = frame.viewer
    return send(
      <Layout {...frame} title={t.title} place="reference" below>
        <Crumb href={basePath + REFERENCE}>{texts.admin.reference.title}</Crumb>
        <h1>{t.title}</h1>
        <p class="quiet">{t.introduction}</p>
        {flights.length === 0 ? (
          <p class="card empty">{t.empty}</p>
        ) : (
          <div id="flights">
            <ListTable
              caption={t.title}
              rows={flights}
              class="code-problems"
              stacked
              columns={[
                {
                  title: t.flight,
                  names: true,
                  cell: ({ id, date, flightNumber, from, to }) => (
                    <a href={`${basePath}/flights/${id}`}>
                      {[frame.formats.day(date), flightNumber, `${codeOf(from)} – ${codeOf(to)}`]
                        .filter(Boolean)
                        .join(' · ')}
                    </a>
                  ),
                },
                {
                  title: t.problem,
                  cell: ({ problems, date }) =>
                    problems.map((problem) => (
                      <Problem key={problem.member} problem={problem} date={date} formats={frame.formats} />
                    )),
                },
                {
                  title: t.correction,
                  cell: (flight) =>
                    correctable.includes(flight) && (
                      <PostForm
                        action={address}
                        csrf={csrf}
                        hidden={{ ids: String(flight.id) }}
                        plain
                        submit={<button type="submit">{t.correct}</button>}
                      />
                    ),
                },
              ]}
            />
            <PageLinks {...part} path={address} anchor="flights" />
            {correctable.length > 1 && (
              <PostForm
                action={address}
                csrf={csrf}
                hidden={{ ids: correctable.map(({ id }) => id).join(' ') }}
                plain
                submit={t.correctAll}
              />
            )}
          </div>
        )}
      </Layout>,
    )
  })

  pages.post(PATH, async ({ caller, form, texts, back }) => {
    const ids = fieldOf(form, 'ids').split(' ').slice(0, PAGE_SIZE).map(Number).filter(Number.isSafeInteger)
    return back(PATH, texts.admin.codeCheck.corrected({ count: await codeCheck.correct(caller, ids) }))
  })
}
