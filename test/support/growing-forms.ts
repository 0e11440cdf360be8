import { sampleText } from '../domain/transfer/sample.ts'
import { fieldsIn } from './form-fields.ts'
import { type GrowingInput, SIZE, type Target, texts } from './growing-inputs.ts'
import { pageRoutes } from './page-routes.ts'
import { trackFiles } from './track-files.ts'

interface Form {
  page: string
  action: string
  isQuery: boolean
  /** The name of its file field, if any. */
  file: string | undefined
  fields: Record<string, string>
}

type Send = (values: Record<string, string>, file?: string) => Promise<number>

let senders = 0

/** Submits a form from a new address, to avoid rate limits. */
const sender =
  ({ origin, cookie }: Target, { action, isQuery, file: name, fields }: Form): Send =>
  async (values, file = '') => {
    const filled = { ...fields, ...values }
    const address = `10.${(senders >> 16) & 255}.${(senders >> 8) & 255}.${senders++ & 255}`
    const headers = { cookie, origin, 'x-forwarded-for': address }
    const url = origin + action
    let body: URLSearchParams | FormData = new URLSearchParams(filled)
    if (name !== undefined) {
      body = new FormData()
      for (const [key, value] of Object.entries(filled)) body.append(key, value)
      body.append(name, new Blob([file]), 'file')
    }
    const answer = isQuery
      ? await fetch(`${url}?${body}`, { headers, redirect: 'manual' })
      : await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
    await answer.text()
    return answer.status
  }

/** Additional parts of a multipart body. */
const parts: Record<string, string> = {
  fields: '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n',
  'parts without a name': '--x\r\n\r\n\r\n',
}

/** Submits a body with many parts. */
const partsSender =
  ({ origin, cookie }: Target, { action }: Form, part: string) =>
  async (count: number): Promise<number> => {
    const headers = { cookie, origin, 'content-type': 'multipart/form-data; boundary=x' }
    const answer = await fetch(origin + action, { method: 'POST', headers, body: `${part.repeat(count)}--x--\r\n` })
    await answer.text()
    return answer.status
  }

const attribute = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]

function formsOf(page: string, html: string): Form[] {
  return [...html.matchAll(/(<form[^>]*>)(.*?)<\/form>/gs)].flatMap(([, tag = '', inside = '']) => {
    const action = attribute(tag, 'action')
    // Skip forms that only scripts submit, and those that end the session or delete data.
    if (action === undefined || /logout|delete|sessions/.test(action)) return []
    const file = /<input[^>]* type="file"[^>]*>/.exec(inside)?.[0]
    return [
      {
        page,
        action,
        isQuery: attribute(tag, 'method') !== 'post',
        file: file && attribute(file, 'name'),
        fields: fieldsIn(`${tag}${inside}</form>`, action) as Record<string, string>,
      },
    ]
  })
}

/** Most forms are limited to 64 KiB, and a combining mark takes six bytes. The flight form allows more, URLs less. */
const sizeOf = ({ action, isQuery }: Form) => (isQuery ? 1_000 : action.startsWith('/flights/') ? SIZE : 5_000)

/** Requests of scripts during typing. */
const scriptRequests: readonly [path: string, fields: Record<string, string>][] = [
  ['/search/airports', { q: '' }],
  ['/search/airlines', { q: '' }],
  ['/search/aircraft', { q: '' }],
  ['/search/flight-numbers', { number: 'LX1', date: '' }],
]

const hasParameter = (path: string) => path.includes('{')

/** Pages without a parameter come first, because they link to the others. */
const pages = pageRoutes
  .filter((each) => each.startsWith('GET ') && !/logout|assets|docs|share\//.test(each))
  .map((each) => each.slice(4))
  .sort((a, b) => Number(hasParameter(a)) - Number(hasParameter(b)))

const linksIn = (html: string) => [...html.matchAll(/ href="(\/[^"?#]*)/g)].map(([, path]) => path!)

/** The URL of a record page from the links, or that of the first record. */
function addressOf(page: string, links: ReadonlySet<string>): string {
  const pattern = new RegExp(`^${page.replace(/\{\w+\}/, '[^/]+')}$`)
  return [...links].find((link) => pattern.test(link) && !pages.includes(link)) ?? page.replace(/\{\w+\}/, '1')
}

/** Whether a page must have a form for one record. */
const isFormOfRecord = (page: string) => hasParameter(page) && pageRoutes.includes(`POST ${page}`)

/** Every field of every form on every page, signed in and signed out. */
export async function formInputs(target: Target): Promise<GrowingInput[]> {
  const { origin } = target
  const seen = new Set<string>()
  const forms: [form: Form, target: Target][] = scriptRequests.map(([action, fields]) => [
    { page: action, action, isQuery: true, file: undefined, fields },
    target,
  ])
  // A pending upload has its own page.
  const { fields } = formsOf(
    '',
    await (await fetch(`${origin}/import`, { headers: { cookie: target.cookie } })).text(),
  )[0]!
  const upload = { page: '/import', action: '/import', isQuery: false, file: 'file', fields }
  // An unknown airport adds a field to the form.
  await sender(target, upload)({}, sampleText('jetlovers.csv').replaceAll('CPH', 'QQQ'))
  for (const visitor of [target, { ...target, cookie: '' }]) {
    const links = new Set<string>()
    for (const page of pages) {
      const path = hasParameter(page) ? addressOf(page, links) : page
      const answer = await fetch(origin + path, { headers: { cookie: visitor.cookie }, redirect: 'manual' })
      const cookie = visitor.cookie || (answer.headers.get('set-cookie')?.split(';')[0] ?? '')
      const html = await answer.text()
      for (const link of linksIn(html)) links.add(link)
      const found = formsOf(path, html)
      if (visitor === target && isFormOfRecord(page) && !found.some(({ action }) => action === path)) {
        throw new Error(`There is no form at ${path} (status ${answer.status}). Create a record for ${page}.`)
      }
      for (const form of found) {
        const known = `${form.action} ${form.isQuery} ${Object.keys(form.fields).sort()}`
        if (!seen.has(known)) forms.push([form, { ...visitor, cookie }])
        seen.add(known)
      }
    }
  }
  return forms.flatMap(([form, visitor]) => {
    const send = sender(visitor, form)
    const name = `${form.page} ${form.isQuery ? '?' : ''}${form.action}`
    const long = Object.keys(form.fields)
      .filter((field) => field !== 'csrf')
      .flatMap((field) =>
        Object.entries(texts).map(([kind, text]) => ({
          name: `${name} ${field} ${kind}`,
          size: sizeOf(form),
          send: (size: number) => send({ [field]: text(size) }),
        })),
      )
    // Import files are tested through the API.
    const files = form.file === undefined ? [] : form.action.endsWith('/track') ? trackFiles : []
    const pieces = form.file === undefined ? [] : Object.entries(parts)
    return [
      ...long,
      ...pieces.map(([kind, part]) => ({
        name: `${name} ${kind}`,
        size: 100_000,
        send: partsSender(visitor, form, part),
      })),
      ...files.map((file) => ({
        name: `${name} ${file.name}`,
        size: file.size,
        send: (size: number) => send({}, file.content(size)),
      })),
    ]
  })
}
