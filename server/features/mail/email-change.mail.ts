import { codeIntro, formatLife, type LinkMail } from './link-mail.ts'
import { type RenderedMail, renderMail } from './mail-layout.ts'
import { describeRequester } from './requester.ts'

export interface EmailChangeNew extends LinkMail {
  /** Whether the current address has to confirm as well. Default: true. */
  readonly isCurrentAsked?: boolean
}

/** To the new address: proves that its owner can read it. */
export function renderEmailChangeNew(content: EmailChangeNew): RenderedMail {
  const { appUrl, to, link, code, validMinutes, requester, isCurrentAsked = true } = content
  return renderMail({
    kind: 'email_change_new',
    subject: 'Confirm your new email address for Earshot',
    preview: 'One click confirms that this address is yours.',
    title: 'Confirm your new email address',
    paragraphs: [
      `You asked to use ${to} for your Earshot account. Confirm that this address is yours.`,
      isCurrentAsked
        ? 'We sent an email like this one to your current address. Both links must be confirmed before you can sign in with the new address.'
        : 'Once it is confirmed, use it to sign in.',
    ],
    strong: [to],
    action: { label: 'Confirm new address', url: link },
    code: { intro: codeIntro, value: code },
    notes: [
      describeRequester(requester),
      `The link and the code work once, for ${formatLife(validMinutes)}. Open the link in the browser in which you requested the change.`,
      'Didn’t request this? You can ignore this email.',
    ],
    appUrl,
  })
}

export interface EmailChangeCurrent extends LinkMail {
  /** The new address; this email goes to the current one. */
  readonly newEmail: string
}

/** To the current address: the account can't move without its owner's consent. */
export function renderEmailChangeCurrent(content: EmailChangeCurrent): RenderedMail {
  const { appUrl, to, newEmail, link, code, validMinutes, requester } = content
  return renderMail({
    kind: 'email_change_current',
    subject: 'Confirm the change of your Earshot email address',
    preview: `Confirm the move of your account to ${newEmail}.`,
    title: 'Confirm the change of your email address',
    paragraphs: [
      `You asked to change the address of your Earshot account from ${to} to ${newEmail}. Confirm that this is what you want.`,
      'We sent an email like this one to the new address. Both links must be confirmed.',
    ],
    strong: [to, newEmail],
    action: { label: 'Confirm the change', url: link },
    code: { intro: codeIntro, value: code },
    notes: [
      describeRequester(requester),
      `The link and the code work once, for ${formatLife(validMinutes)}. Open the link in the browser in which you requested the change.`,
      `Didn’t request this? Don’t confirm it. Someone may be signed in as you: choose a new password at ${appUrl}/forgot-password.`,
    ],
    appUrl,
  })
}
