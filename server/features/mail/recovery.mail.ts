import { codeIntro, formatLife, type LinkMail } from './link-mail.ts'
import { type RenderedMail, renderMail } from './mail-layout.ts'

/** The link with which someone who forgot their password chooses a new one. */
export function renderRecovery({ appUrl, to, link, code, validMinutes }: LinkMail): RenderedMail {
  return renderMail({
    kind: 'recovery',
    subject: 'Reset your Earshot password',
    preview: 'Choose a new password. Until you do, the old one keeps working.',
    title: 'Choose a new password',
    paragraphs: [
      `Someone, hopefully you, asked to reset the password of ${to}. Choose a new one here. Until you do, the old one keeps working.`,
    ],
    strong: [to],
    action: { label: 'Choose a new password', url: link },
    code: { intro: codeIntro, value: code },
    notes: [
      `The link and the code work once, for ${formatLife(validMinutes)}. Open the link in the browser in which you asked for it.`,
      'You did not ask for it? Then ignore this mail: your password stays as it is.',
    ],
    appUrl,
  })
}
