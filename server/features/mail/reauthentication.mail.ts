import { formatLife } from './link-mail.ts'
import type { RenderedMail } from './mail-layout.ts'
import { describeRequester, type Requester } from './requester.ts'
import { openTemplate } from './templates/open-template.ts'
import { reauthentication } from './templates/sign-in.templates.ts'

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
  const values = {
    ...{ email: to, validity: formatLife(validMinutes), ...describeRequester(requester) },
    resetUrl: `${appUrl}/forgot-password`,
  }
  const phrases = { network: values.networkAddress !== '' }
  return openTemplate(reauthentication, appUrl).render({ appUrl, values, code, strong: [to], phrases })
}
