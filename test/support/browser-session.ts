import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

interface PageAnswer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  location: string | undefined
  html: string
}

type Fields = Record<string, string | readonly string[]>

interface BrowserOptions {
  /** The client address. */
  address?: string
  headers?: Record<string, string>
}

/** Removes the CSRF token, the only difference between two renderings of a page. */
export const withoutCsrf = (html: string): string => html.replaceAll(/(?<=name="csrf" value=")[\w-]+/g, '')

/** Removes the address of the page, which the language switch contains. */
export const withoutAddress = (html: string): string => html.replaceAll(/(?<=name="next" value=")[^"]*/g, '')

/** The CSRF token of the first form. */
export const csrfIn = (html: string): string => /name="csrf" value="([\w-]+)"/.exec(html)?.[1] ?? ''

export const encoded = (fields: Fields): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as [string, string])),
  ).toString()

/** A simulated browser that stores cookies and submits forms but does not follow redirects. */
export function browserSession(app: FastifyInstance, options: BrowserOptions = {}) {
  const jar = new Map<string, string>()
  /** The attributes of the last Set-Cookie header by cookie name. */
  const attributes = new Map<string, string>()

  function keepCookies(header: string | string[] | number | undefined): void {
    for (const line of [header ?? []].flat().map(String)) {
      const [pair = '', ...rest] = line.split('; ')
      const [name = '', value = ''] = pair.split('=')
      attributes.set(name, rest.join('; '))
      if (rest.includes('Max-Age=0')) jar.delete(name)
      else jar.set(name, value)
    }
  }

  async function send(
    method: string,
    url: string,
    body?: string | Buffer | Readable,
    more: Record<string, string> = {},
  ) {
    const response = await app.inject({
      method: method as 'GET',
      url,
      remoteAddress: options.address ?? '127.0.0.1',
      headers: {
        ...options.headers,
        ...(jar.size > 0 && { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...more,
      },
      ...(body !== undefined && { payload: body }),
    })
    keepCookies(response.headers['set-cookie'])
    const { location } = response.headers
    const answer: PageAnswer = {
      status: response.statusCode,
      headers: response.headers as PageAnswer['headers'],
      location,
      html: response.body,
    }
    return answer
  }

  const get = (url: string, headers?: Record<string, string>) => send('GET', url, undefined, headers)
  const post = (url: string, fields: Fields, headers?: Record<string, string>) =>
    send('POST', url, encoded(fields), headers)

  /** Loads a page and submits a form with its CSRF token. */
  async function submit(page: string, action: string, fields: Fields, headers?: Record<string, string>) {
    const { html } = await get(page)
    return post(action, { csrf: csrfIn(html), ...fields }, headers)
  }

  /** Submits a multipart form with its fields and file in the given order. */
  async function upload(page: string, action: string, fields: Record<string, string | Blob>, csrf?: string) {
    const { html } = await get(page)
    const form = new FormData()
    form.set('csrf', csrf ?? csrfIn(html))
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    const request = new Response(form)
    const body = Buffer.from(await request.arrayBuffer())
    return send('POST', action, body, { 'content-type': request.headers.get('content-type')! })
  }

  const signIn = (username: string, password: string, fields: Fields = {}) =>
    submit('/login', '/login', { username, password, ...fields })

  return { jar, attributes, send, get, post, submit, upload, signIn }
}
