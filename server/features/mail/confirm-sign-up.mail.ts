import { cancelledSignUp, codeIntro, formatLife, type LinkMail } from './link-mail.ts'
import { type RenderedMail, renderMail } from './mail-layout.ts'
import { describeRequester } from './requester.ts'

/** The email that confirms a sign-up. */
export function renderConfirmSignUp(content: LinkMail): RenderedMail {
  const { appUrl, to, link, code, validMinutes, requester, cancelsSignUp } = content
  return renderMail({
    kind: 'confirm_sign_up',
    subject: 'Confirm your email address for Earshot',
    preview: 'One click and your Earshot account is ready.',
    title: 'Confirm your email address',
    paragraphs: [`Welcome to Earshot. Confirm ${to} to finish your sign-up.`],
    strong: [to],
    action: { label: 'Confirm email address', url: link },
    code: { intro: codeIntro, value: code },
    notes: [
      describeRequester(requester),
      ...(cancelsSignUp ? [cancelledSignUp] : []),
      `The link and the code work once, for ${formatLife(validMinutes)}. Open the link in the browser in which you signed up.`,
      'Didn’t sign up? Don’t open the link. Someone else may have entered your address.',
    ],
    appUrl,
  })
}
