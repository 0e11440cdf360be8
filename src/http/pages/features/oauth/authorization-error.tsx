import { redirectHost } from '../../../../domain/oauth/parameters.ts'
import { MessagePage } from '../../framework/message.tsx'

interface Props {
  basePath: string
  code: string
  reason: string
  /** The application's own address with the error, where that address was checked. */
  link: string | undefined
}

export function AuthorizationErrorPage({ basePath, code, reason, link }: Props) {
  const way = link && { href: link, rel: 'noreferrer', text: `Tell the application at ${redirectHost(link)}` }
  return (
    <MessagePage
      basePath={basePath}
      title="Not connected"
      heading="The application was not connected"
      code={code}
      way={way || undefined}
    >
      <p>{reason}</p>
    </MessagePage>
  )
}
