import { codeIntro, formatLife, type LinkMail } from './link-mail.ts'
import { type RenderedMail, renderMail } from './mail-layout.ts'

/** The link to reset a forgotten password. */
export function renderRecovery({ appUrl, to, link, code, validMinutes }: LinkMail): RenderedMail {
  return renderMail({
    kind: 'recovery',
    subject: 'Reset your Earshot password',
    preview: 'Your old password works until you choose a new one.',
    title: 'Choose a new password',
    paragraphs: [
      `Someone, hopefully you, asked to reset the password of ${to}. Choose a new one here. The old one works until you do.`,
    ],
    strong: [to],
    action: { label: 'Choose a new password', url: link },
    code: { intro: codeIntro, value: code },
    notes: [
      `The link and the code work once, for ${formatLife(validMinutes)}. Open the link in the browser in which you requested it.`,
      'Didn’t request this? You can ignore this email: your password stays the same.',
    ],
    appUrl,
  })
}
