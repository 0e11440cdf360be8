import { stringify } from 'yaml'

/** A document as YAML. Readers of YAML 1.1 are common, and would take an unquoted date for something else than text. */
export const asYaml = (document: object): string =>
  stringify(document, { aliasDuplicateObjects: false, lineWidth: 0, compat: 'yaml-1.1' })
