import { useEnglish } from '../../framework/localization.ts'

/** Text with code between backticks. */
export function Inline({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}</>
}

/** The subset of Markdown that descriptions use: paragraphs, lists and code. Descriptions are English. */
export function Prose({ text }: { text: string }) {
  const lang = useEnglish()
  return (
    <>
      {text
        .split('\n\n')
        .filter(Boolean)
        .map((block) =>
          block.startsWith('- ') ? (
            <ul key={block} lang={lang}>
              {block.split('\n').map((line) => (
                <li key={line}>
                  <Inline text={line.slice(2)} />
                </li>
              ))}
            </ul>
          ) : (
            <p key={block} lang={lang}>
              <Inline text={block} />
            </p>
          ),
        )}
    </>
  )
}
