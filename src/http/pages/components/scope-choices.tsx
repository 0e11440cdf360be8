import { groupScopes, type Scope } from '../../../access/scopes.ts'
import { useTexts } from '../framework/localization.ts'
import { ChoiceGroups } from './forms.tsx'

interface Props {
  offered: readonly Scope[]
  chosen: ReadonlySet<string>
  marked?: { scopes: readonly Scope[]; word: string }
}

export function ScopeChoices({ offered, chosen, marked }: Props) {
  const t = useTexts().messages
  const groups = groupScopes(offered).map(({ group, scopes }) => ({
    title: t.scopeGroups[group],
    choices: scopes.map((scope) => ({
      value: scope,
      words: (
        <>
          {t.scopes[scope]} <code>{scope}</code>
          {marked?.scopes.includes(scope) && <span class="quiet"> {marked.word}</span>}
        </>
      ),
    })),
  }))
  return <ChoiceGroups name="scope" groups={groups} chosen={chosen} />
}
