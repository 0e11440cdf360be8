import type { FastifyRequest } from 'fastify'
import type { Language } from '../../../lib/languages.ts'
import { localizationOf } from '../framework/localization.ts'
import { type ProjectionName, projectionNames } from './frame.ts'

/** Set by the script of the map. */
export const PROJECTION_COOKIE = 'paxlog-map'

/** How a visitor sees maps. */
export interface MapChoice {
  projection: ProjectionName | undefined
  language: Language
}

export const mapChoice = (request: FastifyRequest): MapChoice => ({
  projection: projectionNames.find((name) => name === request.cookies[PROJECTION_COOKIE]),
  language: localizationOf(request).language,
})
