import * as z from 'zod'
import { choice } from '../../contract/common.ts'
import { languages } from '../../lib/languages.ts'

/** The first value is the default. */
const choiceValues = {
  distanceUnit: ['km', 'mi', 'nm'],
  windSpeedUnit: ['kt', 'mph', 'kmh', 'ms'],
  temperatureUnit: ['c', 'f'],
  pressureUnit: ['hpa', 'inhg'],
  timeFormat: ['auto', '12h', '24h'],
  dateFormat: ['auto', 'iso', 'us', 'eu'],
  weekStartsOn: ['auto', 'mon', 'sun'],
  flightTimeDisplay: ['airport', 'utc', 'system'],
  theme: ['auto', 'light', 'dark'],
  language: ['auto', ...languages],
} as const
type ChoiceValues = typeof choiceValues

const choices = Object.fromEntries(
  Object.entries(choiceValues).map(([name, each]) => [name, choice<string>(each)]),
) as {
  [Name in keyof ChoiceValues]: z.ZodType<ChoiceValues[Name][number], ChoiceValues[Name][number]>
}

export const defaultPreferences = Object.fromEntries(
  Object.entries(choiceValues).map(([name, [first]]) => [name, first]),
) as {
  [Name in keyof ChoiceValues]: ChoiceValues[Name][number]
}

export const Preferences = z.object(choices).meta({
  id: 'Preferences',
  description:
    'They affect pages only: the API always uses km, seconds and UTC. The first value of each is the default.',
  examples: [defaultPreferences],
})
export type Preferences = z.output<typeof Preferences>

export const PreferencesChange = Preferences.partial().meta({
  id: 'PreferencesChange',
  description: 'Absent members stay as they are.',
  examples: [{ distanceUnit: 'nm', timeFormat: '24h' }],
})
export type PreferencesChange = z.output<typeof PreferencesChange>

export const UpdatedPreferences = z
  .object({ updated: z.literal(true), ...choices })
  .meta({ id: 'UpdatedPreferences', examples: [{ updated: true, ...defaultPreferences, distanceUnit: 'nm' }] })
