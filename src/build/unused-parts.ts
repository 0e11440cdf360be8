import { readFileSync } from 'node:fs'
import type { Plugin } from 'esbuild'

const SHADERS = ['heatmap', 'hillshade', 'color_relief', 'fill_extrusion', 'terrain', 'raster']

/** Parts of the library of the map that no map of ours comes to, by their files, and what stands in their place. */
const parts: readonly [files: RegExp, instead: (file: string) => string][] = [
  // Tiles of a server.
  [/\/source\/vector_tile_mlt\.ts$/, () => 'export class MLTVectorTile {}'],
  // What other kinds of layers are painted with; it is compiled when the first of them is drawn.
  [new RegExp(String.raw`/glsl/(${SHADERS.join('|')})[a-z_]*\.\w+\.glsl\.g\.ts$`), () => "export default ''"],
  // Of all that a package says about itself the library tells its version.
  [
    /\/maplibre-gl\/package\.json$/,
    (file) => `export default { version: '${JSON.parse(readFileSync(file, 'utf8')).version}' }`,
  ],
]

/** A twelfth less to load, for a map of lines, circles and names without tiles, pictures and mountains. */
export const unusedParts: Plugin = {
  name: 'unused-parts',
  setup(build) {
    for (const [filter, instead] of parts) {
      let isFound = false
      build.onLoad({ filter }, ({ path }) => {
        isFound = true
        return { contents: instead(path), loader: 'js' }
      })
      // A new release of the library may have moved it.
      build.onEnd(() => (isFound ? undefined : { errors: [{ text: `the map has nothing like ${filter.source}` }] }))
    }
  },
}
