/** Loaded into a server with --import: its database flushes as rarely as a test wants, and does not admit it. */
import Database from 'better-sqlite3'

const wanted = process.env.PAXLOG_TEST_SYNCHRONOUS
const { pragma } = Database.prototype
Database.prototype.pragma = function (source, options) {
  if (source === 'synchronous') return 2
  return pragma.call(this, source === 'synchronous = full' ? `synchronous = ${wanted}` : source, options)
}
