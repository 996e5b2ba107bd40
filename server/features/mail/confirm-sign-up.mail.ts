import { formatLife, type LinkMail } from './link-mail.ts'
import type { RenderedMail } from './mail-layout.ts'
import { describeRequester } from './requester.ts'
import { openTemplate } from './templates/open-template.ts'
import { confirmSignUp } from './templates/sign-in.templates.ts'

/** The email that confirms a sign-up. */
export function renderConfirmSignUp(content: LinkMail): RenderedMail {
  const { appUrl, to, link, code, validMinutes, requester, cancelsSignUp = false } = content
  const values = { email: to, validity: formatLife(validMinutes), ...describeRequester(requester) }
  return openTemplate(confirmSignUp, appUrl).render({
    ...{ appUrl, values, code, strong: [to], action: { url: link } },
    phrases: { network: values.networkAddress !== '', cancelledSignUp: cancelsSignUp },
  })
}
