import type { Ledger } from './ledger.ts'
import type { Event } from './system-calls.ts'

/** One acknowledged write: the request, the port of its response, and the ledger after it. */
interface Step {
  request: Ledger['unanswered']
  port: number
  after: Ledger
}

export interface History {
  before: Ledger
  steps: Step[]
}

const copyOf = (ledger: Ledger): Ledger => ({
  ...ledger,
  flights: new Map(ledger.flights),
  deleted: new Map(ledger.deleted),
  trips: new Map(ledger.trips),
  family: { ...ledger.family, spent: [...ledger.family.spent] },
})

/** Writes for one ledger until isOver, and records every acknowledged state. */
export async function writeHistory(
  write: () => Promise<void>,
  ledger: Ledger,
  isOver: () => boolean,
): Promise<History> {
  const history: History = { before: copyOf(ledger), steps: [] }
  while (!isOver()) {
    const answered = write()
    const request = ledger.unanswered
    await answered
    history.steps.push({ request, port: ledger.answeredOn!, after: copyOf(ledger) })
  }
  return history
}

/** Returns the ledgers at any position of a trace. A write is acknowledged from the call that sends its response. */
export function ledgersDuring(events: readonly Event[], histories: readonly History[]) {
  const answers = new Map<number, number[]>()
  for (const event of events) {
    if (event.kind !== 'answer') continue
    const numbers = answers.get(event.port) ?? []
    numbers.push(event.number)
    answers.set(event.port, numbers)
  }
  const responseNumbers = histories.map(({ steps }) =>
    steps.map(({ port }) => {
      const number = answers.get(port)?.shift()
      if (number === undefined) throw new Error(`The trace has no response to port ${port}.`)
      return number
    }),
  )
  /** Returns copies, because the comparison resolves unanswered requests in them. */
  return (cut: number): Ledger[] =>
    histories.map(({ before, steps }, index) => {
      const count = responseNumbers[index]!.filter((number) => number < cut).length
      const { after } = steps[count - 1] ?? { after: before }
      return structuredClone({ ...after, unanswered: steps[count]?.request })
    })
}
