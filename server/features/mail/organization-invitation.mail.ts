import { formatLife } from './link-mail.ts'
import { type RenderedMail, renderMail } from './mail-layout.ts'
import { quoteName } from './quote-name.ts'

export interface OrganizationInvitation {
  readonly appUrl: string
  readonly to: string
  /** URL of the accept screen, on the instance's own origin. */
  readonly link: string
  readonly organizationName: string
  /** Null: the inviter has no name. */
  readonly inviterName: string | null
  readonly role: string
  readonly validMinutes: number
}

/** The invitation to a team. Its names are user input and can't smuggle a URL into our email. */
export function renderOrganizationInvitation(invitation: OrganizationInvitation): RenderedMail {
  const { appUrl, to, link, role, validMinutes } = invitation
  const organization = quoteName(invitation.organizationName)
  const inviter = invitation.inviterName === null ? 'Someone on the team' : quoteName(invitation.inviterName)
  return renderMail({
    kind: 'organization_invitation',
    subject: `Invitation to ${organization} on Earshot`,
    preview: `${inviter} wants to work with you.`,
    title: `Join ${organization} on Earshot`,
    paragraphs: [
      `${inviter} invited you to ${organization} as ${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}. With Earshot, a team reads and answers feedback from its website’s visitors.`,
    ],
    strong: [organization, inviter],
    action: { label: 'Accept invitation', url: link },
    notes: [
      `The invitation works once, for ${formatLife(validMinutes)}, and for ${to} only.`,
      'Don’t know who this is from? You can ignore this email.',
    ],
    appUrl,
  })
}
