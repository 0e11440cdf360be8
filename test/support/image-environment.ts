import { dockerStages } from './dockerfile.ts'

/** The settings of the image for malloc. */
export const imageEnvironment: Record<string, string> = Object.fromEntries(
  dockerStages()
    .at(-1)!
    .instructions.filter(({ name }) => name === 'ENV')
    .flatMap(({ text }) => text.split(' '))
    .filter((setting) => setting.startsWith('MALLOC_'))
    .map((setting) => setting.split('=')),
)
