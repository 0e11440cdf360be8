/** A problem that the operator must fix. Printed without a stack. */
export class StartupError extends Error {
  override name = 'StartupError'
}
