import { codeIntro, formatLife, type LinkMail } from './link-mail.ts'
import { type RenderedMail, renderMail } from './mail-layout.ts'

/** The link that signs in without a password. */
export function renderMagicLink({ appUrl, to, link, code, validMinutes }: LinkMail): RenderedMail {
  return renderMail({
    kind: 'magic_link',
    subject: 'Your sign-in link for Earshot',
    preview: 'One click, and you are signed in. No password needed.',
    title: 'Sign in to Earshot',
    paragraphs: [`Here is the link you asked for. It signs you in as ${to}, without a password.`],
    strong: [to],
    action: { label: 'Sign in', url: link },
    code: { intro: codeIntro, value: code },
    notes: [
      `The link and the code work once, for ${formatLife(validMinutes)}. Open the link in the browser in which you asked for it, and don’t forward this mail: whoever has the link can sign in.`,
      'You did not ask for it? Then ignore this mail: nobody can sign in without it.',
    ],
    appUrl,
  })
}
