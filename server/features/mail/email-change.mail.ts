import { codeIntro, formatLife, type LinkMail } from './link-mail.ts'
import { type RenderedMail, renderMail } from './mail-layout.ts'

export interface EmailChangeNew extends LinkMail {
  /** Whether the current address has to confirm as well. Default: true. */
  readonly isCurrentAsked?: boolean
}

/** To the address that an account is to have: proves that its owner reads it. */
export function renderEmailChangeNew(content: EmailChangeNew): RenderedMail {
  const { appUrl, to, link, code, validMinutes, isCurrentAsked = true } = content
  return renderMail({
    kind: 'email_change_new',
    subject: 'Confirm your new email address for Earshot',
    preview: 'One click, to show that this address is yours.',
    title: 'Confirm your new email address',
    paragraphs: [
      `You asked to use ${to} for your Earshot account. Confirm that this address is yours.`,
      isCurrentAsked
        ? 'Your current address gets a mail like this one. Once both are confirmed, you sign in with the new address.'
        : 'Once it is confirmed, you sign in with it.',
    ],
    strong: [to],
    action: { label: 'Confirm new address', url: link },
    code: { intro: codeIntro, value: code },
    notes: [
      `The link and the code work once, for ${formatLife(validMinutes)}. Open the link in the browser in which you asked for the change.`,
      'You did not ask for it? Then ignore this mail: without the confirmation nothing changes.',
    ],
    appUrl,
  })
}

export interface EmailChangeCurrent extends LinkMail {
  /** The address that is to replace the one this mail goes to. */
  readonly newEmail: string
}

/** To the address that an account has: nobody moves the account away without its owner. */
export function renderEmailChangeCurrent(content: EmailChangeCurrent): RenderedMail {
  const { appUrl, to, newEmail, link, code, validMinutes } = content
  return renderMail({
    kind: 'email_change_current',
    subject: 'Confirm the change of your Earshot email address',
    preview: `Your account is to move to ${newEmail}.`,
    title: 'Confirm the change of your email address',
    paragraphs: [
      `You asked to change the address of your Earshot account from ${to} to ${newEmail}. Confirm that this is what you want.`,
      'The new address gets a mail like this one. Until both are confirmed, everything stays as it is.',
    ],
    strong: [to, newEmail],
    action: { label: 'Confirm the change', url: link },
    code: { intro: codeIntro, value: code },
    notes: [
      `The link and the code work once, for ${formatLife(validMinutes)}. Open the link in the browser in which you asked for the change.`,
      `You did not ask for it? Then don’t confirm it, and choose a new password at ${appUrl}/forgot-password: someone may be signed in as you.`,
    ],
    appUrl,
  })
}
