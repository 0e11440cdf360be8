import { sampleText } from '../domain/transfer/sample.ts'
import { fieldsIn } from './form-fields.ts'
import { type GrowingInput, SIZE, type Target, texts } from './growing-inputs.ts'
import { pageRoutes } from './page-routes.ts'
import { trackFiles } from './track-files.ts'

interface Form {
  page: string
  action: string
  isQuery: boolean
  /** The field of its file, where it takes one. */
  file: string | undefined
  fields: Record<string, string>
}

type Send = (values: Record<string, string>, file?: string) => Promise<number>

let senders = 0

/** As a browser sends a form. Everybody comes from an address of their own, since tries from one are limited. */
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

/** What the body of a form with a file may consist of, beside what its page has. */
const parts: Record<string, string> = {
  fields: '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n',
  'parts without a name': '--x\r\n\r\n\r\n',
}

/** So many parts as one body. */
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
    // One that the script alone sends, and those after which nothing is left to send.
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

/** Most forms have 64 KiB, of which a mark takes six bytes; that of a flight has more, and an address less. */
const sizeOf = ({ action, isQuery }: Form) => (isQuery ? 1_000 : action.startsWith('/flights/') ? SIZE : 5_000)

/** What the script of a page asks for while somebody types. */
const typed: readonly [path: string, fields: Record<string, string>][] = [
  ['/search/airports', { q: '' }],
  ['/search/airlines', { q: '' }],
  ['/search/aircraft', { q: '' }],
  ['/search/flight-numbers', { number: 'LX1', date: '' }],
]

const hasParameter = (path: string) => path.includes('{')

/** Those without a parameter first: they link to the others. */
const pages = pageRoutes
  .filter((each) => each.startsWith('GET ') && !/logout|assets|docs|share\//.test(each))
  .map((each) => each.slice(4))
  .sort((a, b) => Number(hasParameter(a)) - Number(hasParameter(b)))

const linksIn = (html: string) => [...html.matchAll(/ href="(\/[^"?#]*)/g)].map(([, path]) => path!)

/** A page of a record, by a link that somebody would follow to it; the first record of its kind where none was seen. */
function addressOf(page: string, links: ReadonlySet<string>): string {
  const pattern = new RegExp(`^${page.replace(/\{\w+\}/, '[^/]+')}$`)
  return [...links].find((link) => pattern.test(link) && !pages.includes(link)) ?? page.replace(/\{\w+\}/, '1')
}

/** Forms of one record: who does not come to them proves nothing. */
const isFormOfRecord = (page: string) => hasParameter(page) && pageRoutes.includes(`POST ${page}`)

/** Every field of every form on every page, for whoever is signed in and for a stranger. */
export async function formInputs(target: Target): Promise<GrowingInput[]> {
  const { origin } = target
  const seen = new Set<string>()
  const forms: [form: Form, target: Target][] = typed.map(([action, fields]) => [
    { page: action, action, isQuery: true, file: undefined, fields },
    target,
  ])
  // What waits to be imported is a page of its own.
  const { fields } = formsOf(
    '',
    await (await fetch(`${origin}/import`, { headers: { cookie: target.cookie } })).text(),
  )[0]!
  const upload = { page: '/import', action: '/import', isQuery: false, file: 'file', fields }
  // An airport that nobody knows is asked for.
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
        throw new Error(
          `There is no form at ${path}, which answered ${answer.status}: ${page} needs a record of its own.`,
        )
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
    // What other files hold is sent to the API, which takes the same ones.
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
