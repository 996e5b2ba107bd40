import { type RenderedMail, renderMail } from './mail-layout.ts'

export interface ConfirmSignUp {
  readonly appUrl: string
  readonly to: string
  /** Address of the confirmation, on the instance's own origin. */
  readonly link: string
  /** Six digits that do the same. */
  readonly code: string
  readonly validHours: number
}

/** The mail that a sign-up waits for. */
export function renderConfirmSignUp({ appUrl, to, link, code, validHours }: ConfirmSignUp): RenderedMail {
  return renderMail({
    kind: 'confirm_sign_up',
    subject: 'Confirm your email address',
    preview: 'One click, and your Earshot account is ready.',
    title: 'Confirm your email address',
    paragraphs: [`Welcome to Earshot. Confirm that ${to} is yours, and your account is ready.`],
    action: { label: 'Confirm email address', url: link },
    code: { intro: 'If a screen asks for a code, enter this one:', value: code },
    notes: [
      `The link and the code work once, for ${validHours} hours. Open the link in the browser in which you signed up.`,
      'You did not sign up? Then ignore this mail: without the confirmation nothing happens.',
    ],
    appUrl,
  })
}
