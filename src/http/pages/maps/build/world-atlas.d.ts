// Otherwise the compiler infers a type for every number in the files.
declare module 'world-atlas/countries-110m.json' {
  const topology: import('topojson-specification').Topology
  // biome-ignore lint/style/noDefaultExport: this is what a JSON file exports
  export default topology
}
declare module 'world-atlas/countries-50m.json' {
  const topology: import('topojson-specification').Topology
  // biome-ignore lint/style/noDefaultExport: this is what a JSON file exports
  export default topology
}
