import type { FastifyRequest } from 'fastify'
import { acceptedOf } from '../texts/accepted.ts'
import { type ProjectionName, projectionNames } from './frame.ts'
import { type MapLabelLanguage, mapLabelLanguages } from './map-labels.ts'

/** Set by the script of the map. */
export const PROJECTION_COOKIE = 'paxlog-map'

/** How a visitor sees maps. */
export interface MapChoice {
  projection: ProjectionName | undefined
  language: MapLabelLanguage
}

export const mapChoice = ({ cookies, headers }: FastifyRequest): MapChoice => ({
  projection: projectionNames.find((name) => name === cookies[PROJECTION_COOKIE]),
  language: acceptedOf(mapLabelLanguages, headers['accept-language']) ?? 'en',
})
