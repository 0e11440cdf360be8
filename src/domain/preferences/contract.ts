import * as z from 'zod'

const choices = {
  distanceUnit: z.enum(['km', 'mi', 'nm']),
  windSpeedUnit: z.enum(['kt', 'mph', 'kmh', 'ms']),
  temperatureUnit: z.enum(['c', 'f']),
  pressureUnit: z.enum(['hpa', 'inhg']),
  timeFormat: z.enum(['auto', '12h', '24h']),
  dateFormat: z.enum(['auto', 'iso', 'us', 'eu']),
  weekStartsOn: z.enum(['auto', 'mon', 'sun']),
  flightTimeDisplay: z.enum(['airport', 'utc', 'system']),
}

export const Preferences = z.object(choices).meta({
  id: 'Preferences',
  description:
    'They steer pages only: figures of the API are always km, seconds and UTC. The first value of each is the default.',
})
export type Preferences = z.output<typeof Preferences>

export const PreferencesChange = Preferences.partial().meta({
  id: 'PreferencesChange',
  description: 'Absent members stay as they are.',
  examples: [{ distanceUnit: 'nm', timeFormat: '24h' }],
})
export type PreferencesChange = z.output<typeof PreferencesChange>

export const UpdatedPreferences = z.object({ updated: z.literal(true), ...choices }).meta({ id: 'UpdatedPreferences' })

/** The first choice of each is the default. */
export const defaultPreferences = Object.fromEntries(
  Object.entries(choices).map(([name, choice]) => [name, choice.options[0]]),
) as Preferences
