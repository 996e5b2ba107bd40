import { cancelledSignUp, codeIntro, formatLife, type LinkMail } from './link-mail.ts'
import { type RenderedMail, renderMail } from './mail-layout.ts'
import { describeRequester } from './requester.ts'

/** The link to reset a forgotten password. */
export function renderRecovery(content: LinkMail): RenderedMail {
  const { appUrl, to, link, code, validMinutes, requester, cancelsSignUp } = content
  const earlier = cancelsSignUp ? '' : ' The old one works until you do.'
  return renderMail({
    kind: 'recovery',
    subject: 'Reset your Earshot password',
    preview: 'Choose a new password for your account.',
    title: 'Choose a new password',
    paragraphs: [`Someone, hopefully you, asked to reset the password of ${to}. Choose a new one here.${earlier}`],
    strong: [to],
    action: { label: 'Choose a new password', url: link },
    code: { intro: codeIntro, value: code },
    notes: [
      describeRequester(requester),
      ...(cancelsSignUp ? [cancelledSignUp] : []),
      `The link and the code work once, for ${formatLife(validMinutes)}. Open the link in the browser in which you requested it.`,
      'Didn’t request this? You can ignore this email: no one can choose a password without it.',
    ],
    appUrl,
  })
}
