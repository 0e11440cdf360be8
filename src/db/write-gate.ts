import { perConnection } from './per-connection.ts'

/**
 * While another thread of this process writes for long, writes of this connection wait for it here. Without the gate
 * they would wait inside of SQLite, and with them everybody who only reads.
 */
export const writeGate = perConnection(() => {
  let closed: Promise<void> | undefined
  let open = () => undefined as void
  return {
    /** Settles when it is open again; undefined while it is. */
    closed: () => closed,
    close(): void {
      closed ??= new Promise((resolve) => {
        open = () => {
          closed = undefined
          resolve()
        }
      })
    },
    open: () => open(),
  }
})
