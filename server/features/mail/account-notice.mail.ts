import type { RenderedMail } from './mail-layout.ts'
import { formatMoment } from './requester.ts'
import { openTemplate } from './templates/open-template.ts'
import { emailChanged, passwordChanged } from './templates/sign-in.templates.ts'

export interface PasswordChanged {
  readonly appUrl: string
  readonly to: string
  readonly changedAt: Date
}

/** Confirms a password change. Contains no secret: the way back is a password reset. */
export function renderPasswordChanged({ appUrl, to, changedAt }: PasswordChanged): RenderedMail {
  return openTemplate(passwordChanged, appUrl).render({
    ...{ appUrl, values: { email: to, time: formatMoment(changedAt) }, strong: [to] },
    action: { url: `${appUrl}/forgot-password` },
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
  const values = { email: to, newEmail, time: formatMoment(changedAt) }
  return openTemplate(emailChanged, appUrl).render({ appUrl, values, strong: [to, newEmail] })
}
