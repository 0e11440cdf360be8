/**
 * Builds the data of the maps: `npm run map:build -- FOLDER`. The folder holds the layers of Natural Earth 1:50m as
 * `*.geojson.gz`. Countries come from world-atlas.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '../../../../lib/languages.ts'
import { packageRoot } from '../../../../lib/package-root.ts'
import { countryPolygons } from './countries.ts'
import { labelsIn } from './labels.ts'
import { coarseTopology, fineTopology, readLayer } from './layers.ts'

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Usage: npm run map:build -- FOLDER')

const write = (name: string, content: unknown) =>
  writeFileSync(join(packageRoot, 'src/http/pages/maps/data', name), `${JSON.stringify(content)}\n`)

const layer = (name: string, maxRank?: number) => readLayer(folder, name, maxRank)

/** Lakes that are visible on a map of the world. */
const MAX_LAKE_RANK = 1

const [land, borders, glaciers] = [layer('land'), layer('borders'), layer('glaciers')]
write('world-coarse.json', coarseTopology({ land, borders, lakes: layer('lakes', MAX_LAKE_RANK), glaciers }))
write('world-fine.json', fineTopology({ land, borders, lakes: layer('lakes'), rivers: layer('rivers'), glaciers }))
write('world-detail.json', fineTopology({ states: layer('state-borders'), urban: layer('urban-areas') }))
write('countries.json', fineTopology({ countries: countryPolygons() }))
for (const language of languages) write(`labels-${language}.json`, labelsIn(folder, language))
