// An import would read every member of `node:http`, which loads fetch and doubles the memory of a health check.
export const { METHODS, get } = process.getBuiltinModule('node:http')
