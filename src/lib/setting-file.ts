import { readFileSync } from 'node:fs'

/** What a setting that names a file means: its text, without the line end that an editor leaves. Faults are added to the list. */
export function settingIn(name: string, file: string, faults: string[]): string | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim()
    if (text !== '') return text
    faults.push(`${name} is "${file}", but that file is empty.`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    faults.push(`${name} is "${file}", but that file cannot be read (${code}).`)
  }
  return undefined
}
