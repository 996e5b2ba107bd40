import { formatLife } from './link-mail.ts'
import { type RenderedMail, renderMail } from './mail-layout.ts'
import { describeRequester, type Requester } from './requester.ts'

export interface Reauthentication {
  readonly appUrl: string
  readonly to: string
  /** Six digits. */
  readonly code: string
  readonly validMinutes: number
  readonly requester: Requester
}

/** The code that a signed-in person enters before a change that needs more than a session. */
export function renderReauthentication({ appUrl, to, code, validMinutes, requester }: Reauthentication): RenderedMail {
  return renderMail({
    kind: 'reauthentication',
    // Without the code: subjects are kept, and are shown on locked screens.
    subject: 'Your Earshot confirmation code',
    preview: 'Enter it on the page that asks for it.',
    title: 'Your confirmation code',
    paragraphs: [`You are about to change something important in the account of ${to}. Confirm that it is you.`],
    strong: [to],
    code: { intro: 'Enter this code on the page that asks for it:', value: code },
    notes: [
      describeRequester(requester),
      `The code works once, for ${formatLife(validMinutes)}. Don’t share it: no one at Earshot will ever ask for it.`,
      `Didn’t request this? Someone may be signed in as you: choose a new password at ${appUrl}/forgot-password.`,
    ],
    appUrl,
  })
}
