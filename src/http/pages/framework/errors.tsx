import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { HashQueueFull } from '../../../domain/users/password.ts'
import { AppError, Busy, errorStatus } from '../../../lib/errors.ts'
import { FormRefused } from './csrf.ts'
import { ErrorPage, FormRefusedPage } from './error-page.tsx'
import { setPageHeaders } from './headers.ts'
import { sendPage } from './layout.tsx'
import { withNext } from './routes.ts'
import { SignInNeeded } from './session.ts'

const HASH_WAIT_SECONDS = 5

export class TooManyAttempts extends Error {
  readonly seconds: number

  constructor(seconds: number) {
    super(`Too many attempts. Try again in ${seconds === 1 ? 'one second' : `${seconds} seconds`}.`)
    this.name = 'TooManyAttempts'
    this.seconds = seconds
  }
}

interface ErrorAnswer {
  status: number
  title: string
  text: string
}

const titles: Record<number, string> = {
  400: 'This request cannot be read',
  403: 'This is not allowed',
  404: 'There is nothing here',
  405: 'This page cannot be used like that',
  409: 'Somebody was faster',
  413: 'That was too much',
  415: 'This is not a form',
  422: 'Something is missing',
  429: 'Too many attempts',
  500: 'Something went wrong',
  503: 'Very busy at the moment',
}

const answer = (status: number, text: string): ErrorAnswer => ({ status, text, title: titles[status] ?? titles[400]! })

const notFoundAnswer = answer(404, 'The address may be misspelt, or what was here has been taken away.')

function answerOf(error: FastifyError | Error): ErrorAnswer {
  if (error instanceof TooManyAttempts) return answer(429, error.message)
  if (error instanceof HashQueueFull)
    return answer(503, 'Too many people are signing in at this moment. Try again in a few seconds.')
  if (error instanceof Busy) return answer(503, error.message)
  if (error instanceof AppError && error.code === 'not_found') return notFoundAnswer
  if (error instanceof AppError && error.code !== 'internal_error') {
    return answer(errorStatus[error.code], error.details?.[0]?.message ?? error.message)
  }
  const { statusCode = 500 } = error as FastifyError
  if (statusCode === 413) return answer(413, 'A form may have at most 64 KiB, and that of a flight 2 MiB.')
  if (statusCode === 415) return answer(415, 'Pages accept nothing but their own forms.')
  if (statusCode >= 400 && statusCode < 500) return answer(400, 'Go back and try again.')
  return answer(500, 'The server could not finish this. Its log has the cause.')
}

export interface ErrorOptions {
  baseUrl: string
  basePath: string
}

export function errorPages({ baseUrl, basePath }: ErrorOptions) {
  const send = (reply: FastifyReply, shown: ErrorAnswer) =>
    sendPage(reply, shown.status, <ErrorPage {...shown} basePath={basePath} />)

  function failed(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
    if (error instanceof SignInNeeded) {
      return reply.redirect(withNext(`${basePath}/login`, error.returnTo), 303)
    }
    if (error instanceof FormRefused) {
      const { origin, host } = request.headers
      const used = origin !== undefined && origin !== 'null' ? origin : (host ?? 'an address without a name')
      const page = <FormRefusedPage reason={error.message} used={used} baseUrl={baseUrl} basePath={basePath} />
      return sendPage(reply, 403, page)
    }
    // The error may come before the hook that sets the headers.
    if (!reply.hasHeader('x-frame-options')) setPageHeaders(request, reply)
    const shown = answerOf(error)
    const { method, routeOptions } = request
    if (shown.status === 500) request.log.error({ err: error, method, route: routeOptions.url }, error.message)
    if (error instanceof TooManyAttempts) reply.header('retry-after', error.seconds)
    if (shown.status === 503) reply.header('retry-after', HASH_WAIT_SECONDS)
    return send(reply, shown)
  }

  return {
    failed,
    unknown: (reply: FastifyReply) => send(reply, notFoundAnswer),
    wrongMethod: (reply: FastifyReply, method: string, allow: string) =>
      send(reply.header('allow', allow), answer(405, `It has no method ${method}, only ${allow}.`)),
  }
}
