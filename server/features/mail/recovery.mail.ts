import { formatLife, type LinkMail } from './link-mail.ts'
import type { RenderedMail } from './mail-layout.ts'
import { describeRequester } from './requester.ts'
import { openTemplate } from './templates/open-template.ts'
import { recovery } from './templates/sign-in.templates.ts'

/** The link to reset a forgotten password. */
export function renderRecovery(content: LinkMail): RenderedMail {
  const { appUrl, to, link, code, validMinutes, requester, cancelsSignUp = false } = content
  const values = { email: to, validity: formatLife(validMinutes), ...describeRequester(requester) }
  return openTemplate(recovery, appUrl).render({
    ...{ appUrl, values, code, strong: [to], action: { url: link } },
    phrases: {
      network: values.networkAddress !== '',
      cancelledSignUp: cancelsSignUp,
      oldPassword: !cancelsSignUp,
    },
  })
}
