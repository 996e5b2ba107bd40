import { formatLife, type LinkMail } from './link-mail.ts'
import type { RenderedMail } from './mail-layout.ts'
import { describeRequester } from './requester.ts'
import { openTemplate } from './templates/open-template.ts'
import { magicLink } from './templates/sign-in.templates.ts'

/** The link that signs in without a password. */
export function renderMagicLink({ appUrl, to, link, code, validMinutes, requester }: LinkMail): RenderedMail {
  const values = { email: to, validity: formatLife(validMinutes), ...describeRequester(requester) }
  return openTemplate(magicLink, appUrl).render({
    ...{ appUrl, values, code, strong: [to], action: { url: link } },
    phrases: { network: values.networkAddress !== '' },
  })
}
