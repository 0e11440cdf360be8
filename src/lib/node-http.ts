/**
 * Not imported: an import reads every member of a built-in module, and one member of `node:http` loads all of fetch,
 * which doubles the memory of a health check.
 */
export const { METHODS, get } = process.getBuiltinModule('node:http')
