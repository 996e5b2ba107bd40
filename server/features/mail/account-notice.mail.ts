import { type RenderedMail, renderMail } from './mail-layout.ts'
import { formatMoment } from './requester.ts'

export interface PasswordChanged {
  readonly appUrl: string
  readonly to: string
  readonly changedAt: Date
}

/** Confirms a password change. Contains no secret: the way back is a password reset. */
export function renderPasswordChanged({ appUrl, to, changedAt }: PasswordChanged): RenderedMail {
  return renderMail({
    kind: 'password_changed',
    subject: 'Your Earshot password was changed',
    preview: 'No action needed if this was you.',
    title: 'Your password was changed',
    paragraphs: [
      `The password of ${to} was changed on ${formatMoment(changedAt)}. If this was you, no action is needed.`,
      'If it wasn’t you, choose a new password now. This signs out all other devices.',
    ],
    strong: [to],
    action: { label: 'Reset password', url: `${appUrl}/forgot-password` },
    notes: [],
    appUrl,
  })
}

export interface EmailChanged {
  readonly appUrl: string
  /** The account's previous address. */
  readonly to: string
  readonly newEmail: string
  readonly changedAt: Date
}

/** Tells an account's previous address about the change. */
export function renderEmailChanged({ appUrl, to, newEmail, changedAt }: EmailChanged): RenderedMail {
  return renderMail({
    kind: 'email_changed',
    subject: 'Your Earshot email address was changed',
    preview: `Your account now belongs to ${newEmail}.`,
    title: 'Your email address was changed',
    paragraphs: [
      `Your Earshot account moved from ${to} to ${newEmail} on ${formatMoment(changedAt)}. Sign in with the new address from now on. This address gets no more emails.`,
      `If it wasn’t you, contact the administrator of ${new URL(appUrl).host} immediately and change the password of this mailbox.`,
    ],
    strong: [to, newEmail],
    notes: [],
    appUrl,
  })
}
