import { type RenderedMail, renderMail } from './mail-layout.ts'

export interface PasswordChanged {
  readonly appUrl: string
  readonly to: string
  readonly changedAt: Date
}

/** Tells that the password was changed. Holds no secret: the way back is to ask for a new password. */
export function renderPasswordChanged({ appUrl, to, changedAt }: PasswordChanged): RenderedMail {
  return renderMail({
    kind: 'password_changed',
    subject: 'Your Earshot password was changed',
    preview: 'Nothing to do, if that was you.',
    title: 'Your password was changed',
    paragraphs: [
      `The password of ${to} was changed on ${formatMoment(changedAt)}. Was that you? Then there is nothing to do.`,
      'It was not you? Choose a new password now: that signs out everyone else.',
    ],
    strong: [to],
    action: { label: 'That was not me', url: `${appUrl}/forgot-password` },
    notes: [],
    appUrl,
  })
}

export interface EmailChanged {
  readonly appUrl: string
  /** The address that the account had. */
  readonly to: string
  readonly newEmail: string
  readonly changedAt: Date
}

/** Tells the address that an account had that it is no longer the account's. */
export function renderEmailChanged({ appUrl, to, newEmail, changedAt }: EmailChanged): RenderedMail {
  return renderMail({
    kind: 'email_changed',
    subject: 'Your Earshot email address was changed',
    preview: `Your account now belongs to ${newEmail}.`,
    title: 'Your email address was changed',
    paragraphs: [
      `Your Earshot account moved from ${to} to ${newEmail} on ${formatMoment(changedAt)}. Sign in with the new address from now on; this one gets no more mails.`,
      `It was not you? Tell the people who run ${new URL(appUrl).host} at once, and change the password of this mailbox.`,
    ],
    strong: [to, newEmail],
    notes: [],
    appUrl,
  })
}

// The reader's time zone is unknown: one that says which it is can't mislead.
const momentFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

function formatMoment(moment: Date): string {
  return `${momentFormat.format(moment)} UTC`
}
