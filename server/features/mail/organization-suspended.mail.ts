import type { RenderedMail } from './mail-layout.ts'
import { quoteName } from './quote-name.ts'
import { openTemplate } from './templates/open-template.ts'
import { organizationSuspended, suspensionLifted } from './templates/team.templates.ts'

export interface OrganizationSuspended {
  readonly appUrl: string
  readonly organizationName: string
  /** What the superadmins tell its members; null: nothing. */
  readonly message: string | null
}

/** Tells an organisation's owners that it was suspended, and what they can still do. */
export function renderOrganizationSuspended({
  appUrl,
  organizationName,
  message,
}: OrganizationSuspended): RenderedMail {
  const organization = quoteName(organizationName)
  return openTemplate(organizationSuspended, appUrl).render({
    ...{ appUrl, values: { organization }, strong: [organization] },
    ...(message !== null && { letter: message }),
    action: { url: `${appUrl}/contact` },
  })
}

/** Tells an organisation's owners that it can be used again. */
export function renderSuspensionLifted({
  appUrl,
  organizationName,
}: Omit<OrganizationSuspended, 'message'>): RenderedMail {
  const organization = quoteName(organizationName)
  return openTemplate(suspensionLifted, appUrl).render({
    ...{ appUrl, values: { organization }, strong: [organization] },
    action: { url: `${appUrl}/dashboard` },
  })
}
