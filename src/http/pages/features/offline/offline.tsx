import type { FastifyInstance } from 'fastify'
import type { PageContext } from '../../framework/context.ts'
import { sendPage } from '../../framework/layout.tsx'
import { localizationOf } from '../../framework/localization.ts'
import { MessagePage } from '../../framework/message.tsx'

/** The service worker shows this page instead of pages that are not stored. */
export async function offlinePage(app: FastifyInstance, { basePath }: PageContext): Promise<void> {
  app.get('/offline', async (request, reply) => {
    const { title, notStored, home, again } = localizationOf(request).texts.offline
    const page = (
      <MessagePage basePath={basePath} title={title} way={{ href: '', text: again }}>
        <p>{notStored}</p>
        <p>
          <a class="standalone" href={basePath || '/'}>
            {home}
          </a>
        </p>
      </MessagePage>
    )
    return sendPage(reply, 200, page)
  })
}
