import type { FastifyInstance } from 'fastify'
import { isReading } from './methods.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether its handler writes to the database. By default every method does but GET, HEAD and OPTIONS. */
    writes?: boolean
  }
}

/** Settles when the database can be written to; undefined when it can be now. */
export type UntilWritable = () => Promise<void> | undefined

/** Requests that write wait for an import or another program that holds the write lock; all others go on. */
export function waitToWrite(app: FastifyInstance, untilWritable: UntilWritable): void {
  app.addHook('preHandler', ({ method, routeOptions }, _reply, done) => {
    const writes = routeOptions.config.writes ?? !isReading(method)
    const waiting = writes ? untilWritable() : undefined
    if (waiting) waiting.then(() => done(), done)
    else done()
  })
}
