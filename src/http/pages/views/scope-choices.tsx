import { inGroups, type Scope, sentenceOf } from '../../../access/scopes.ts'
import { Choice } from './fields.tsx'

interface Props {
  offered: readonly Scope[]
  chosen: ReadonlySet<string>
}

/** Scopes to tick, in groups and in plain words. */
export function ScopeChoices({ offered, chosen }: Props) {
  return (
    <div class="groups">
      {inGroups(offered).map(({ group, scopes }) => (
        <fieldset key={group}>
          <legend>{group}</legend>
          {scopes.map((scope) => (
            <Choice key={scope} name="scope" value={scope} checked={chosen.has(scope)}>
              {sentenceOf(scope)} <code>{scope}</code>
            </Choice>
          ))}
        </fieldset>
      ))}
    </div>
  )
}
