import { formatLife, type LinkMail } from './link-mail.ts'
import type { RenderedMail } from './mail-layout.ts'
import { formatMoment } from './requester.ts'
import { openTemplate } from './templates/open-template.ts'
import { invite } from './templates/sign-in.templates.ts'

/** The invitation that an administrator of the instance sends: accepting it makes the account usable. */
export function renderInvite({ appUrl, to, link, code, validMinutes, requester }: LinkMail): RenderedMail {
  const values = { email: to, validity: formatLife(validMinutes), time: formatMoment(requester.at) }
  return openTemplate(invite, appUrl).render({ appUrl, values, code, strong: [to], action: { url: link } })
}
