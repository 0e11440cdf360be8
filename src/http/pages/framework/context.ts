import type { Permission } from '../../../access/permissions.ts'
import type { Preferences } from '../../../domain/preferences/contract.ts'
import type { FormDrafts } from './form-drafts.ts'
import type { Formats } from './formats.ts'
import type { Notice, notices } from './notices.ts'
import type { PageOptions } from './options.ts'
import type { PageRoutes } from './routes.ts'

export interface PageContext extends PageOptions {
  routes: PageRoutes
  notices: ReturnType<typeof notices>
  drafts: FormDrafts
}

export interface Viewer {
  name: string
  username: string
  /** The token of the sign-out form. */
  csrf: string
  permissions: ReadonlySet<Permission>
  theme: Preferences['theme']
  language: Preferences['language']
  /** The page to return to after a form of the menu. */
  page: string
}

export interface Frame {
  basePath: string
  viewer: Viewer
  formats: Formats
  notice: Notice | undefined
}
