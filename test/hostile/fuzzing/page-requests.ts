import { pageRoutes } from '../../support/page-routes.ts'
import type { FuzzRequest } from './exchange.ts'
import { parameters, type Random } from './values.ts'
import type { World } from './world.ts'

const LINE = '\r\n'

/** A form with a file, or a malformed one. */
function multipart(fields: readonly (readonly [string, string])[], { pick, below, next }: Random): Buffer {
  const part = (name: string, more: string, content: string) =>
    `--x${LINE}Content-Disposition: form-data; name="${name}"${more}${LINE}${LINE}${content}${LINE}`
  const file = part('file', `; filename="${pick(['a.csv', '', '../x', 'ü"'])}"`, pick(['date,from,to', '', '\0', '{}']))
  const text = `${fields.map(([name, value]) => part(name, '', value)).join('')}${file}--x--${LINE}`
  return Buffer.from(next() < 0.7 ? text : text.slice(0, below(text.length)))
}

/** Requests for every page route, with the fields of the pages. */
export function pageRequests(world: World, random: Random) {
  const { pick, next, below } = random
  const { ids, session, forms } = world
  const names = [...forms.fields.keys()]

  function pathOf(route: string): string {
    const id = () =>
      pick<unknown>([1 + below(450), 1 + below(30), ...ids.users.slice(0, 3), ...ids.roles, 'x', '%ff', '%00', '0'])
    return route.replace(/\{\w+\}/g, () => String(id()))
  }

  function fieldsOf(): (readonly [string, string])[] {
    const chosen = names.filter(() => next() < 12 / names.length)
    return chosen.map((name) => [name, pick(forms.fields.get(name)!.concat('x'))] as const)
  }

  return function pageRequest(): FuzzRequest {
    const [method, path] = pick(pageRoutes).split(' ') as [string, string]
    const headers: (readonly [string, string])[] = [
      ['Cookie', next() < 0.9 ? `paxlog=${session}` : 'paxlog=x'],
      ['X-Forwarded-For', `10.${below(250)}.${below(250)}.${below(250)}`],
    ]
    const fields = fieldsOf()
    const target = pathOf(path)
    if (method === 'GET') {
      const query = next() < 0.5 ? '' : `?${parameters(fields.slice(0, 4), random)}`
      return {
        method: next() < 0.95 ? method : pick(['HEAD', 'POST', 'PUT', 'OPTIONS']),
        target: target + query,
        headers,
      }
    }
    // The session and its account must survive the run, and each sign-in computes a hash.
    if (/^\/(logout|login|setup)/.test(target)) return { method: 'GET', target: '/login', headers }
    const signed = [...fields, ['csrf', next() < 0.95 ? forms.session : 'x'] as const]
    if (path === '/import' && next() < 0.8) {
      const type = [
        'Content-Type',
        pick(['multipart/form-data; boundary=x', 'multipart/form-data', 'multipart/form-data; boundary=']),
      ] as const
      return { method, target, headers: [...headers, type], body: multipart(signed, random) }
    }
    const body = Buffer.from(parameters(signed, random), 'latin1')
    return { method, target, headers: [...headers, ['Content-Type', 'application/x-www-form-urlencoded']], body }
  }
}
