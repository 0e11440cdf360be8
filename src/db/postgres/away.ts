/** The word of the worker where the server could not be asked at all. */
export const AWAY = 'away'

/**
 * Going, not there yet, without a place for another connection, ended for a transaction that took too long, or turned
 * into a standby: nothing is wrong with the statement, and another host or the same one will take it later.
 */
export const isAwayCode = (code: string | undefined): boolean =>
  /^(away|08...|57P0.|53300|25006|25P0[34])$/.test(code ?? '')
