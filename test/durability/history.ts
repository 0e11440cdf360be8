import type { Ledger } from './ledger.ts'
import type { Event } from './system-calls.ts'

/** One acknowledged write: what was asked, by which connection the answer came, and the ledger after it. */
interface Step {
  asked: Ledger['unanswered']
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
  family: { ...ledger.family, spent: [...ledger.family.spent] },
})

/** Writes for one ledger until it is over, and remembers every state that was ever acknowledged. */
export async function writeHistory(
  write: () => Promise<void>,
  ledger: Ledger,
  isOver: () => boolean,
): Promise<History> {
  const history: History = { before: copyOf(ledger), steps: [] }
  while (!isOver()) {
    const answered = write()
    const asked = ledger.unanswered
    await answered
    history.steps.push({ asked, port: ledger.answeredOn!, after: copyOf(ledger) })
  }
  return history
}

/** Tells what each writer knew at any moment of a trace: an answer is known from the call on that sends it. */
export function ledgersDuring(events: readonly Event[], histories: readonly History[]) {
  const answers = new Map<number, number[]>()
  for (const event of events) {
    if (event.kind !== 'answer') continue
    const numbers = answers.get(event.port) ?? []
    numbers.push(event.number)
    answers.set(event.port, numbers)
  }
  const known = histories.map(({ steps }) =>
    steps.map(({ port }) => {
      const number = answers.get(port)?.shift()
      if (number === undefined) throw new Error(`The trace does not show an answer to port ${port}.`)
      return number
    }),
  )
  /** Copies, since a verdict settles what was not answered. */
  return (cut: number): Ledger[] =>
    histories.map(({ before, steps }, index) => {
      const count = known[index]!.filter((number) => number < cut).length
      const { after } = steps[count - 1] ?? { after: before }
      return structuredClone({ ...after, unanswered: steps[count]?.asked })
    })
}
