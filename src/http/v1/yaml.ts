// A separate file, because a bundled CommonJS package has no named exports when it is imported dynamically.
import { stringify } from 'yaml'

/** YAML 1.1 parsers are common and would read unquoted dates as dates. */
export const toYaml = (document: object): string =>
  stringify(document, { aliasDuplicateObjects: false, lineWidth: 0, compat: 'yaml-1.1' })
