import { codeIntro, formatLife, type LinkMail } from './link-mail.ts'
import { type RenderedMail, renderMail } from './mail-layout.ts'
import { describeRequester } from './requester.ts'

/** The link that signs in without a password. */
export function renderMagicLink({ appUrl, to, link, code, validMinutes, requester }: LinkMail): RenderedMail {
  return renderMail({
    kind: 'magic_link',
    subject: 'Your sign-in link for Earshot',
    preview: 'One click signs you in. No password needed.',
    title: 'Sign in to Earshot',
    paragraphs: [`Here is the link you requested. It signs you in as ${to}, without a password.`],
    strong: [to],
    action: { label: 'Sign in', url: link },
    code: { intro: codeIntro, value: code },
    notes: [
      describeRequester(requester),
      `The link and the code work once, for ${formatLife(validMinutes)}. Open the link in the browser in which you requested it. Don’t forward this email: anyone who has the link can sign in.`,
      'Didn’t request this? You can ignore this email: no one can sign in without it.',
    ],
    appUrl,
  })
}
