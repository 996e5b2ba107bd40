import { formatLife, type LinkMail } from './link-mail.ts'
import type { RenderedMail } from './mail-layout.ts'
import { describeRequester } from './requester.ts'
import { openTemplate } from './templates/open-template.ts'
import { emailChangeCurrent, emailChangeNew } from './templates/sign-in.templates.ts'

export interface EmailChangeNew extends LinkMail {
  /** Whether the current address has to confirm as well. Default: true. */
  readonly isCurrentAsked?: boolean
}

/** To the new address: proves that its owner can read it. */
export function renderEmailChangeNew(content: EmailChangeNew): RenderedMail {
  const { appUrl, to, link, code, validMinutes, requester, isCurrentAsked = true } = content
  const values = { email: to, validity: formatLife(validMinutes), ...describeRequester(requester) }
  return openTemplate(emailChangeNew, appUrl).render({
    ...{ appUrl, values, code, strong: [to], action: { url: link } },
    phrases: { network: values.networkAddress !== '', bothConfirm: isCurrentAsked, oneConfirms: !isCurrentAsked },
  })
}

export interface EmailChangeCurrent extends LinkMail {
  /** The new address; this email goes to the current one. */
  readonly newEmail: string
}

/** To the current address: the account can't move without its owner's consent. */
export function renderEmailChangeCurrent(content: EmailChangeCurrent): RenderedMail {
  const { appUrl, to, newEmail, link, code, validMinutes, requester } = content
  const values = {
    ...{ email: to, newEmail, validity: formatLife(validMinutes), ...describeRequester(requester) },
    resetUrl: `${appUrl}/forgot-password`,
  }
  return openTemplate(emailChangeCurrent, appUrl).render({
    ...{ appUrl, values, code, strong: [to, newEmail], action: { url: link } },
    phrases: { network: values.networkAddress !== '' },
  })
}
