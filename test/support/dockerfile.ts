import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Instruction {
  name: string
  text: string
}

export interface Stage {
  /** The argument of FROM. */
  from: string
  instructions: Instruction[]
}

/** Parses the stages of the Dockerfile. */
export function dockerStages(): Stage[] {
  const lines = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8')
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean)
  const stages: Stage[] = []
  for (const line of lines) {
    const [, name, text] = /^([A-Z]+) +(.*)$/.exec(line)!
    if (name === 'FROM') stages.push({ from: text!, instructions: [] })
    else stages.at(-1)!.instructions.push({ name: name!, text: text! })
  }
  return stages
}

export interface Copy {
  sources: string[]
  target: string
  fromBuild: boolean
}

/** The COPY lines of a stage, with paths relative to the working folder. */
export function copies({ instructions }: Stage): Copy[] {
  return instructions
    .filter(({ name }) => name === 'COPY')
    .map(({ text }) => {
      const words = text.split(/ +/).map((word) => word.replace(/^\/app\//, ''))
      const fromBuild = words[0] === '--from=build'
      const paths = fromBuild ? words.slice(1) : words
      return { sources: paths.slice(0, -1), target: paths.at(-1)!, fromBuild }
    })
}

/** The environment variables of a stage. */
export const environment = ({ instructions }: Stage): Record<string, string> =>
  Object.fromEntries(
    instructions
      .filter(({ name }) => name === 'ENV')
      .flatMap(({ text }) => [...text.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)])
      .map(([, name, quoted, plain]) => [name!, quoted ?? plain!]),
  )
