import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { HashQueueFull } from '../../../domain/users/password.ts'
import { AppError, Busy, type ErrorCode, errorStatus } from '../../../lib/errors.ts'
import { errorBody } from '../../shared/errors.ts'
import { Pairs } from '../components/lists.tsx'
import type { PageTexts } from '../texts/languages.ts'
import { FormRefused } from './csrf.ts'
import { RepeatedField } from './form.ts'
import { setPageHeaders } from './headers.ts'
import { sendPage } from './layout.tsx'
import { localizationOf, useTexts } from './localization.ts'
import { MessagePage } from './message.tsx'
import type { PageOptions } from './options.ts'
import { withNext } from './routes.ts'
import { errorText } from './service-messages.ts'
import { SignInNeeded } from './session.ts'

const RETRY_AFTER_SECONDS = 5

export class TooManyAttempts extends Error {
  override name = 'TooManyAttempts'
  readonly seconds: number

  constructor(seconds: number) {
    super(`Too many attempts: try again in ${seconds} s`)
    this.seconds = seconds
  }
}

type ErrorTexts = PageTexts['errors']

interface ErrorAnswer {
  status: number
  text: string
}

function answerOf(error: FastifyError | Error, texts: PageTexts): ErrorAnswer {
  const t = texts.errors
  if (error instanceof TooManyAttempts) return { status: 429, text: t.tooManyAttempts({ count: error.seconds }) }
  if (error instanceof HashQueueFull) return { status: 503, text: t.busySignIn }
  if (error instanceof Busy) return { status: 503, text: errorText(error, texts) }
  if (error instanceof RepeatedField) return { status: 400, text: t.repeatedField({ name: error.field }) }
  if (error instanceof AppError && error.code === 'not_found') return { status: 404, text: t.notFound }
  if (error instanceof AppError && error.code !== 'internal_error') {
    return { status: errorStatus[error.code], text: errorText(error, texts) }
  }
  const { statusCode = 500 } = error as FastifyError
  if (statusCode === 413) return { status: 413, text: t.formTooLarge }
  if (statusCode === 415) return { status: 415, text: t.onlyForms }
  if (statusCode >= 400 && statusCode < 500) return { status: 400, text: t.badRequest }
  return { status: 500, text: t.failed }
}

const codeOf = (error: Error, status: number): ErrorCode => {
  if (error instanceof AppError) return error.code
  if (error instanceof SignInNeeded) return 'unauthorized'
  if (error instanceof FormRefused) return 'forbidden'
  return status >= 500 ? 'internal_error' : 'bad_request'
}

/** For endpoints that scripts of the pages call. */
export function sendJsonError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  const { texts } = localizationOf(request)
  const t = texts.errors
  let { status, text } = answerOf(error, texts)
  if (status === 415) text = t.onlyJson
  if (error instanceof SignInNeeded) [status, text] = [401, t.sessionEnded]
  if (error instanceof FormRefused) [status, text] = [403, t[error.reason]]
  logAndSetRetryAfter(error, status, request, reply)
  return reply.code(status).send(errorBody(codeOf(error, status), text))
}

function logAndSetRetryAfter(error: Error, status: number, request: FastifyRequest, reply: FastifyReply): void {
  const { method, routeOptions } = request
  if (status === 500) request.log.error({ err: error, method, route: routeOptions.url }, error.message)
  if (error instanceof TooManyAttempts) reply.header('retry-after', error.seconds)
  if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
}

type ErrorOptions = Pick<PageOptions, 'baseUrl' | 'basePath'>
type RefusedProps = ErrorOptions & Pick<FormRefused, 'reason'> & { used: string | undefined }

/** Shows both addresses, because a wrong BASE_URL is the most frequent cause. */
function FormRefusedPage({ basePath, baseUrl, reason, used }: RefusedProps) {
  const t = useTexts().errors
  return (
    <MessagePage basePath={basePath} title={t.formRefused} code={403}>
      <p>{t[reason]}</p>
      <p>{t.sendAgain}</p>
      <Pairs
        class="facts"
        pairs={[
          [t.configuredAddress, <code key="known">{baseUrl}</code>],
          [t.usedAddress, <code key="used">{used ?? t.noHost}</code>],
        ]}
      />
      <p>{t.addressesMustMatch({ setting: (text) => <code>{text}</code> })}</p>
    </MessagePage>
  )
}

export function errorPages({ baseUrl, basePath }: ErrorOptions) {
  const textsOf = ({ request }: FastifyReply): ErrorTexts => localizationOf(request).texts.errors

  function send(reply: FastifyReply, { status, text }: ErrorAnswer) {
    const titles: Readonly<Record<number, string>> = textsOf(reply).titles
    return sendPage(
      reply,
      status,
      <MessagePage basePath={basePath} title={titles[status] ?? titles[400]!} code={status}>
        <p>{text}</p>
      </MessagePage>,
    )
  }

  function failed(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
    if (error instanceof SignInNeeded) {
      return reply.redirect(withNext(`${basePath}/login`, error.returnTo), 303)
    }
    if (error instanceof FormRefused) {
      const { origin, host } = request.headers
      const used = origin !== undefined && origin !== 'null' ? origin : host
      const page = <FormRefusedPage reason={error.reason} used={used} baseUrl={baseUrl} basePath={basePath} />
      return sendPage(reply, 403, page)
    }
    // The error may come before the hook that sets the headers.
    if (!reply.hasHeader('x-frame-options')) setPageHeaders(request, reply)
    const answer = answerOf(error, localizationOf(request).texts)
    logAndSetRetryAfter(error, answer.status, request, reply)
    return send(reply, answer)
  }

  return {
    failed,
    unknown: (reply: FastifyReply) => send(reply, { status: 404, text: textsOf(reply).notFound }),
    wrongMethod: (reply: FastifyReply, method: string, allow: string) =>
      send(reply.header('allow', allow), {
        status: 405,
        text: textsOf(reply).wrongMethod({ method, allowed: allow }),
      }),
  }
}
