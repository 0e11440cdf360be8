import { inGroups, type Scope, sentenceOf } from '../../../access/scopes.ts'
import { Choice } from './fields.tsx'

interface Props {
  offered: readonly Scope[]
  chosen: ReadonlySet<string>
  /** Told apart by a word, such as those granted before. */
  marked?: { scopes: readonly Scope[]; word: string }
}

/** Scopes to tick, in groups and in plain words. */
export function ScopeChoices({ offered, chosen, marked }: Props) {
  return (
    <div class="groups">
      {inGroups(offered).map(({ group, scopes }) => (
        <fieldset key={group}>
          <legend>{group}</legend>
          {scopes.map((scope) => (
            <Choice key={scope} name="scope" value={scope} checked={chosen.has(scope)}>
              {sentenceOf(scope)} <code>{scope}</code>
              {marked?.scopes.includes(scope) && <span class="quiet"> {marked.word}</span>}
            </Choice>
          ))}
        </fieldset>
      ))}
    </div>
  )
}
