import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { HashQueueFull } from '../../../domain/users/password.ts'
import { AppError, Busy, errorStatus } from '../../../lib/errors.ts'
import { Pairs } from '../components/lists.tsx'
import { FormRefused } from './csrf.ts'
import { setPageHeaders } from './headers.ts'
import { sendPage } from './layout.tsx'
import { MessagePage } from './message.tsx'
import type { PageOptions } from './options.ts'
import { withNext } from './routes.ts'
import { SignInNeeded } from './session.ts'

const RETRY_AFTER_SECONDS = 5

export class TooManyAttempts extends Error {
  override name = 'TooManyAttempts'
  readonly seconds: number

  constructor(seconds: number) {
    super(`Too many attempts. Try again in ${seconds === 1 ? 'one second' : `${seconds} seconds`}.`)
    this.seconds = seconds
  }
}

const titles: Record<number, string> = {
  400: 'Bad request',
  403: 'Not allowed',
  404: 'Page not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Too large',
  415: 'Unsupported content',
  422: 'Check your input',
  429: 'Too many attempts',
  500: 'Something went wrong',
  503: 'Too busy right now',
}

interface ErrorAnswer {
  status: number
  text: string
}

const notFoundAnswer = { status: 404, text: 'Check the address. The page may have been deleted.' }

function answerOf(error: FastifyError | Error): ErrorAnswer {
  if (error instanceof TooManyAttempts) return { status: 429, text: error.message }
  if (error instanceof HashQueueFull) {
    return { status: 503, text: 'Too many people are signing in. Try again in a few seconds.' }
  }
  if (error instanceof Busy) return { status: 503, text: error.message }
  if (error instanceof AppError && error.code === 'not_found') return notFoundAnswer
  if (error instanceof AppError && error.code !== 'internal_error') {
    return { status: errorStatus[error.code], text: error.details?.[0]?.message ?? error.message }
  }
  const { statusCode = 500 } = error as FastifyError
  if (statusCode === 413) return { status: 413, text: 'The limit is 64 KiB for a form, and 2 MiB for a flight.' }
  if (statusCode === 415) return { status: 415, text: 'Pages accept only their own forms.' }
  if (statusCode >= 400 && statusCode < 500) return { status: 400, text: 'Go back and try again.' }
  return { status: 500, text: 'The request failed. The server log has the cause.' }
}

type ErrorOptions = Pick<PageOptions, 'baseUrl' | 'basePath'>

/** Shows both addresses, because a wrong BASE_URL is the most frequent cause. */
const FormRefusedPage = ({ basePath, baseUrl, reason, used }: ErrorOptions & { reason: string; used: string }) => (
  <MessagePage basePath={basePath} title="The form was not accepted" code={403}>
    <p>{reason} Nothing was changed.</p>
    <p>Go back, reload the page and send the form again. If that does not help, compare these addresses:</p>
    <Pairs
      class="facts"
      pairs={[
        ['This instance is set up for', <code key="known">{baseUrl}</code>],
        ['Your browser used', <code key="used">{used}</code>],
      ]}
    />
    <p>
      They must match: open the first address, or set <code>BASE_URL</code> to the address you use. The browser must
      also accept cookies.
    </p>
  </MessagePage>
)

export function errorPages({ baseUrl, basePath }: ErrorOptions) {
  const send = (reply: FastifyReply, { status, text }: ErrorAnswer) =>
    sendPage(
      reply,
      status,
      <MessagePage basePath={basePath} title={titles[status] ?? titles[400]!} code={status}>
        <p>{text}</p>
      </MessagePage>,
    )

  function failed(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
    if (error instanceof SignInNeeded) {
      return reply.redirect(withNext(`${basePath}/login`, error.returnTo), 303)
    }
    if (error instanceof FormRefused) {
      const { origin, host = 'an address without a host' } = request.headers
      const used = origin !== undefined && origin !== 'null' ? origin : host
      const page = <FormRefusedPage reason={error.message} used={used} baseUrl={baseUrl} basePath={basePath} />
      return sendPage(reply, 403, page)
    }
    // The error may come before the hook that sets the headers.
    if (!reply.hasHeader('x-frame-options')) setPageHeaders(request, reply)
    const answer = answerOf(error)
    const { method, routeOptions } = request
    if (answer.status === 500) request.log.error({ err: error, method, route: routeOptions.url }, error.message)
    if (error instanceof TooManyAttempts) reply.header('retry-after', error.seconds)
    if (answer.status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
    return send(reply, answer)
  }

  return {
    failed,
    unknown: (reply: FastifyReply) => send(reply, notFoundAnswer),
    wrongMethod: (reply: FastifyReply, method: string, allow: string) =>
      send(reply.header('allow', allow), {
        status: 405,
        text: `This page does not support ${method}. Allowed: ${allow}.`,
      }),
  }
}
