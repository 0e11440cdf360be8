import { referenceRows } from './factory.ts'
import { type PaxlogOptions, paxlog } from './paxlog.ts'

/** An instance with airports and two travellers. Its clock advances by one second with every call. */
export async function flightLog(options: PaxlogOptions = {}, open = paxlog) {
  let now = Date.parse('2025-05-04T08:00:00.000Z')
  const log = await open({
    now: () => {
      now += 1000
      return now
    },
    ...options,
  })
  const rows = referenceRows(log.db)
  const mira = log.user({ username: 'mira', displayName: 'Mira' })
  const noor = log.user({ username: 'noor', displayName: 'Noor' })
  const admin = log.user({ username: 'admin', role: 'role-administrator' })
  /** The required fields of a flight. */
  const plain = { date: '2025-05-03', fromId: rows.airports.ZRH, toId: rows.airports.LIS }

  /** Creates a flight and returns the record. */
  async function flight(body: object = {}, by = mira) {
    const answer = await log.as(by).post('/flights', { ...plain, ...body })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body.data
  }

  async function field(body: object) {
    const answer = await log.as(admin).post('/custom-fields', { entityType: 'flight', label: 'Field', ...body })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body.data
  }

  return { ...log, ...rows, mira, noor, admin, plain, flight, field }
}

export type FlightLog = Awaited<ReturnType<typeof flightLog>>

/** Code and path of every detail of a 422 response. */
export const faultsOf = (answer: { body: { error?: { details?: { code: string; path: string[] }[] } } }) =>
  (answer.body.error?.details ?? []).map(({ code, path }) => `${code} ${path.join('.')}`)
