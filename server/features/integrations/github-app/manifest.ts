import { canCall } from '#server/platform/outbound/url-reach.ts'
import { githubApiUrl } from './request-github.ts'

/* What GitHub creates an App from: https://docs.github.com/apps/sharing-github-apps/registering-a-github-app-from-a-manifest */

export const githubWebUrl = 'https://github.com'

/** GitHub takes no longer names. They are unique: the owner can change it there. */
const maxNameLength = 34

/** Where an Enterprise Server's API is. */
export function toApiUrl(webUrl: string): string {
  return webUrl === githubWebUrl ? githubApiUrl : `${webUrl}/api/v3`
}

export interface NewApp {
  readonly appUrl: string
  readonly organizationId: string
  readonly organizationName: string
  /** Of the integration to be. */
  readonly id: string
  readonly webUrl: string
  /** The organisation on GitHub that owns it; null: the person. */
  readonly account: string | null
}

/** The address to which the browser posts the manifest. */
export function toRegistrationUrl({ webUrl, account }: NewApp, state: string): string {
  const path = account === null ? '' : `/organizations/${account}`
  return `${webUrl}${path}/settings/apps/new?state=${state}`
}

export function writeManifest({ appUrl, organizationId, organizationName, id, webUrl }: NewApp) {
  const returnUrl = `${appUrl}/dashboard/integrations/github-app/${id}`
  // github.com refuses webhooks to addresses that it can't reach: then Earshot asks each minute what has changed.
  const isCalled = canCall(webUrl, appUrl)
  return {
    name: [...`Earshot ${organizationName}`].slice(0, maxNameLength).join('').trim(),
    url: appUrl,
    description: 'Creates issues from website feedback in Earshot, and keeps status and comments alike.',
    public: false,
    redirect_url: returnUrl,
    setup_url: returnUrl,
    default_permissions: { issues: 'write', metadata: 'read' },
    ...(isCalled && {
      hook_attributes: { url: `${appUrl}/api/v1/hooks/${organizationId}/${id}`, active: true },
      default_events: ['issues', 'issue_comment'],
    }),
  }
}
