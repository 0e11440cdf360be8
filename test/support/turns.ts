/** How many turns the event loop of this process had while the work ran. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let running = true
  const count = () => {
    turns++
    if (running) setImmediate(count)
  }
  setImmediate(count)
  await work()
  running = false
  return turns
}
