/** Loaded into a server with --import: tells its parent how long the event loop was held up since it was last asked. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', (question) => {
  if (question === 'delay') process.send!({ longestMs: delay.max / 1e6 })
  delay.reset()
})
// The channel alone must not keep the server alive.
process.channel?.unref()
