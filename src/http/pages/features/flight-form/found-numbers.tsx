import type { NumberOption } from './numbers.ts'

interface Props {
  basePath: string
  /** What the number may stand for; undefined where nobody has asked yet. */
  found: readonly NumberOption[] | undefined
}

const idsOf = ({ from, to, airline }: NumberOption) => [from.id, to.id, airline?.id ?? ''].join('.')

/** What a flight number may stand for: each is taken by its button, or left. A script asks while one types. */
export function FoundNumbers({ basePath, found }: Props) {
  return (
    <div class="found" id="found" data-numbers={`${basePath}/search/flight-numbers`}>
      <button type="submit" name="lookUp" value="number" class="plain">
        Look up the number
      </button>
      <p class="hint" role="status">
        {found?.length === 0 && 'Nothing is known of this number on that day.'}
        {found && found.length > 0 && 'Is it this one?'}
      </p>
      <ul>
        {found?.map((option) => (
          <li key={idsOf(option)}>
            <button type="submit" name="take" value={idsOf(option)} class={option.isUncertain ? 'unsure' : undefined}>
              {option.label} <span class="quiet">{option.detail}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
