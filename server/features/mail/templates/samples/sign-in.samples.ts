import { renderEmailChanged, renderPasswordChanged } from '../../account-notice.mail.ts'
import { renderConfirmSignUp } from '../../confirm-sign-up.mail.ts'
import { renderEmailChangeCurrent, renderEmailChangeNew } from '../../email-change.mail.ts'
import { renderInvite } from '../../invite.mail.ts'
import { renderMagicLink } from '../../magic-link.mail.ts'
import { renderReauthentication } from '../../reauthentication.mail.ts'
import { renderRecovery } from '../../recovery.mail.ts'
import { type Sample, sampleTime } from './sample.ts'

const to = 'ada@example.com'
const requester = {
  at: sampleTime,
  userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
  ip: '203.0.113.77',
}
const unknownRequester = { at: sampleTime, userAgent: null, ip: null }

const write = (appUrl: string, type: string) => ({
  ...{ appUrl, to, requester, validMinutes: 1440, code: '012345' },
  link: `${appUrl}/auth/v1/verify?token=sample&type=${type}`,
})

export const signInSamples = {
  confirm_sign_up: [
    { label: 'First sign-up', render: (appUrl) => renderConfirmSignUp(write(appUrl, 'signup')) },
    {
      label: 'After an earlier sign-up',
      render: (appUrl) => renderConfirmSignUp({ ...write(appUrl, 'signup'), cancelsSignUp: true }),
    },
    {
      label: 'Unknown browser and network',
      render: (appUrl) => renderConfirmSignUp({ ...write(appUrl, 'signup'), requester: unknownRequester }),
    },
  ],
  magic_link: [{ label: 'Sign-in link', render: (appUrl) => renderMagicLink(write(appUrl, 'magiclink')) }],
  recovery: [
    { label: 'Confirmed account', render: (appUrl) => renderRecovery(write(appUrl, 'recovery')) },
    {
      label: 'After an earlier sign-up',
      render: (appUrl) => renderRecovery({ ...write(appUrl, 'recovery'), cancelsSignUp: true }),
    },
  ],
  invite: [{ label: 'Invitation', render: (appUrl) => renderInvite(write(appUrl, 'invite')) }],
  email_change_new: [
    { label: 'Both addresses confirm', render: (appUrl) => renderEmailChangeNew(write(appUrl, 'email_change')) },
    {
      label: 'Only the new address confirms',
      render: (appUrl) => renderEmailChangeNew({ ...write(appUrl, 'email_change'), isCurrentAsked: false }),
    },
  ],
  email_change_current: [
    {
      label: 'Change of address',
      render: (appUrl) => renderEmailChangeCurrent({ ...write(appUrl, 'email_change'), newEmail: 'ada@new.example' }),
    },
  ],
  reauthentication: [
    {
      label: 'Code',
      render: (appUrl) => renderReauthentication({ ...write(appUrl, 'reauthentication'), validMinutes: 10 }),
    },
  ],
  password_changed: [
    {
      label: 'Changed password',
      render: (appUrl) => renderPasswordChanged({ appUrl, to, changedAt: sampleTime }),
    },
  ],
  email_changed: [
    {
      label: 'Changed address',
      render: (appUrl) => renderEmailChanged({ appUrl, to, newEmail: 'ada@new.example', changedAt: sampleTime }),
    },
  ],
} satisfies Record<string, readonly Sample[]>
