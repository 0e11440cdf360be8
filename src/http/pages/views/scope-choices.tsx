import { inGroups, type Scope, sentenceOf } from '../../../access/scopes.ts'

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
            <label key={scope} class="choice">
              <input type="checkbox" name="scope" value={scope} checked={chosen.has(scope)} />
              <span>
                {sentenceOf(scope)} <code>{scope}</code>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  )
}
