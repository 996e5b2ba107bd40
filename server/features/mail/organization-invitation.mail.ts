import { formatLife } from './link-mail.ts'
import type { RenderedMail } from './mail-layout.ts'
import { quoteName } from './quote-name.ts'
import { openTemplate } from './templates/open-template.ts'
import { organizationInvitation } from './templates/team.templates.ts'

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
  const opened = openTemplate(organizationInvitation, appUrl)
  const organization = quoteName(invitation.organizationName)
  const inviter = invitation.inviterName === null ? opened.say('namelessInviter') : quoteName(invitation.inviterName)
  const values = {
    ...{ organization, inviter, email: to, validity: formatLife(validMinutes) },
    role: `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`,
  }
  return opened.render({ appUrl, values, strong: [organization, inviter], action: { url: link } })
}
