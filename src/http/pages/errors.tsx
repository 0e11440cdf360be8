import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { HashQueueFull } from '../../domain/users/password.ts'
import { AppError, Busy, errorStatus } from '../../lib/errors.ts'
import { FormRefused } from './csrf.ts'
import { setPageHeaders } from './headers.ts'
import { withNext } from './routes.ts'
import { SignInNeeded } from './session.ts'
import { ErrorPage, FormRefusedPage } from './views/error.tsx'
import { sendPage } from './views/layout.tsx'

const HASH_WAIT_SECONDS = 5

/** Over a limit: the answer says when to come back. */
export class TooManyAttempts extends Error {
  readonly seconds: number

  constructor(seconds: number) {
    super(`Too many attempts. Try again in ${seconds === 1 ? 'one second' : `${seconds} seconds`}.`)
    this.name = 'TooManyAttempts'
    this.seconds = seconds
  }
}

interface Told {
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

const told = (status: number, text: string): Told => ({ status, text, title: titles[status] ?? titles[400]! })

const nowhere = told(404, 'The address may be misspelt, or what was here has been taken away.')

function answerOf(error: FastifyError | Error): Told {
  if (error instanceof TooManyAttempts) return told(429, error.message)
  if (error instanceof HashQueueFull)
    return told(503, 'Too many people are signing in at this moment. Try again in a few seconds.')
  if (error instanceof Busy) return told(503, error.message)
  if (error instanceof AppError && error.code === 'not_found') return nowhere
  if (error instanceof AppError && error.code !== 'internal_error') {
    return told(errorStatus[error.code], error.details?.[0]?.message ?? error.message)
  }
  const { statusCode = 500 } = error as FastifyError
  if (statusCode === 413) return told(413, 'A form may have at most 64 KiB, and that of a flight 2 MiB.')
  if (statusCode === 415) return told(415, 'Pages accept nothing but their own forms.')
  if (statusCode >= 400 && statusCode < 500) return told(400, 'Go back and try again.')
  return told(500, 'The server could not finish this. Its log has the cause.')
}

export interface ErrorOptions {
  baseUrl: string
  basePath: string
}

/** The one place where a failure becomes a page. */
export function errorPages({ baseUrl, basePath }: ErrorOptions) {
  const send = (reply: FastifyReply, answer: Told) =>
    sendPage(reply, answer.status, <ErrorPage {...answer} basePath={basePath} />)

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
    // What fails before the hook that gives every page its headers has none yet.
    if (!reply.hasHeader('x-frame-options')) setPageHeaders(request, reply)
    const answer = answerOf(error)
    const { method, routeOptions } = request
    if (answer.status === 500) request.log.error({ err: error, method, route: routeOptions.url }, error.message)
    if (error instanceof TooManyAttempts) reply.header('retry-after', error.seconds)
    if (answer.status === 503) reply.header('retry-after', HASH_WAIT_SECONDS)
    return send(reply, answer)
  }

  return {
    failed,
    unknown: (reply: FastifyReply) => send(reply, nowhere),
    wrongMethod: (reply: FastifyReply, method: string, allow: string) =>
      send(reply.header('allow', allow), told(405, `It has no method ${method}, only ${allow}.`)),
  }
}
