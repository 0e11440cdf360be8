import { version } from '../app/version.ts'
import { type Command, print } from './command.ts'

export const versionCommand: Command = {
  name: 'version',
  usage: '',
  summary: 'Print the version',
  run: () => print(`paxlog ${version}`),
}
