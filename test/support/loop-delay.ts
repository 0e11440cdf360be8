/** Loaded with --import: sends the longest event loop delay since the last request to the parent process. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', (question) => {
  if (question === 'delay') process.send!({ longestMs: delay.max / 1e6 })
  delay.reset()
})
// The channel must not keep the server alive.
process.channel?.unref()
