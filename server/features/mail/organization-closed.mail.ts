import type { RenderedMail } from './mail-layout.ts'
import { quoteName } from './quote-name.ts'
import { formatMoment } from './requester.ts'
import { openTemplate } from './templates/open-template.ts'
import { organizationClosed } from './templates/team.templates.ts'

export interface OrganizationClosed {
  readonly appUrl: string
  readonly organizationName: string
  /** The owner who deleted it. */
  readonly closedByName: string
  readonly deleteAfter: Date
}

/** Tells an organisation's owners that it was deleted, and until when they can restore it. */
export function renderOrganizationClosed(closed: OrganizationClosed): RenderedMail {
  const organization = quoteName(closed.organizationName)
  const person = quoteName(closed.closedByName)
  const until = formatMoment(closed.deleteAfter)
  return openTemplate(organizationClosed, closed.appUrl).render({
    ...{ appUrl: closed.appUrl, values: { organization, person, until }, strong: [organization, until] },
    action: { url: `${closed.appUrl}/dashboard` },
  })
}
