/**
 * Node's own HTTP, not imported: an import reads every member of a built-in module, and one member of this one loads
 * the whole implementation of fetch, which doubles what a health check adds to Node.
 */
export const { METHODS, get } = process.getBuiltinModule('node:http')
