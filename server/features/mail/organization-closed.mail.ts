import { type RenderedMail, renderMail } from './mail-layout.ts'
import { quoteName } from './quote-name.ts'
import { formatMoment } from './requester.ts'

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
  return renderMail({
    kind: 'organization_closed',
    subject: `${organization} was deleted on Earshot`,
    preview: `It can be restored until ${until}.`,
    title: `${organization} was deleted`,
    paragraphs: [
      `${person} deleted ${organization}. It is closed for all members, and its widgets show on no page.`,
      `Everything in it is permanently deleted on ${until}. Until then, an owner can restore all of it.`,
    ],
    strong: [organization, until],
    action: { label: 'Restore organisation', url: `${closed.appUrl}/dashboard` },
    notes: ['You get this email because you own this organisation.'],
    appUrl: closed.appUrl,
  })
}
