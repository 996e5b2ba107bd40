import { describe, expect, it } from 'vitest'
import { html } from '#server/platform/html.ts'
import { renderEmailChanged, renderPasswordChanged } from './account-notice.mail.ts'
import { renderConfirmSignUp } from './confirm-sign-up.mail.ts'
import { renderEmailChangeCurrent, renderEmailChangeNew } from './email-change.mail.ts'
import { renderIntegrationDisabled, renderTokenEnding } from './integration-notice.mail.ts'
import { renderInvite } from './invite.mail.ts'
import { formatLife } from './link-mail.ts'
import { renderMagicLink } from './magic-link.mail.ts'
import type { RenderedMail } from './mail-layout.ts'
import { renderOrganizationClosed } from './organization-closed.mail.ts'
import { renderOrganizationInvitation } from './organization-invitation.mail.ts'
import { renderOrganizationSuspended, renderSuspensionLifted } from './organization-suspended.mail.ts'
import { renderReauthentication } from './reauthentication.mail.ts'
import { renderRecovery } from './recovery.mail.ts'

const hostile = `"><img src=x onerror=alert(1)>&'@example.com`
const escaped = '&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&amp;&#39;@example.com'
const content = {
  appUrl: 'https://app.example.com',
  to: hostile,
  link: 'https://app.example.com/auth/v1/verify?token=pkce_abc&type=signup&redirect_to=https%3A%2F%2Fapp.example.com',
  code: '012345',
  validMinutes: 24 * 60,
  requester: {
    at: new Date('2026-11-21T05:39:00Z'),
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0 <img src=x>',
    ip: '203.0.113.77',
  },
}
const notice = { ...content, newEmail: `new${hostile}`, changedAt: new Date('2026-11-21T05:40:00Z') }

const mailsWithLink: Record<string, RenderedMail> = {
  confirm_sign_up: renderConfirmSignUp(content),
  magic_link: renderMagicLink(content),
  recovery: renderRecovery(content),
  invite: renderInvite(content),
  email_change_new: renderEmailChangeNew(content),
  email_change_current: renderEmailChangeCurrent({ ...content, newEmail: hostile }),
}
const invitation = { ...content, organizationName: hostile, inviterName: hostile, role: 'admin' }
const integration = { integrationId: 'i', name: hostile, service: 'Jira' }
const frame = { ...invitation, unsubscribeUrl: 'https://app.example.com/unsubscribe/abc' }
const mails: Record<string, RenderedMail> = {
  ...mailsWithLink,
  reauthentication: renderReauthentication(content),
  password_changed: renderPasswordChanged(notice),
  email_changed: renderEmailChanged(notice),
  organization_invitation: renderOrganizationInvitation(invitation),
  organization_closed: renderOrganizationClosed({
    ...invitation,
    closedByName: hostile,
    deleteAfter: notice.changedAt,
  }),
  organization_suspended: renderOrganizationSuspended({ ...invitation, message: hostile }),
  organization_suspension_lifted: renderSuspensionLifted(invitation),
  integration_disabled: renderIntegrationDisabled({ ...integration, reason: hostile }, frame),
  token_ending: renderTokenEnding({ ...integration, endsAt: notice.changedAt, daysLeft: 7 }, frame),
}

/** The visible text of the HTML part. */
function readText(mail: RenderedMail): string {
  const body = mail.html.slice(mail.html.indexOf('<body'))
  return body
    .replaceAll(/<br>|<\/(?:p|h1|td|div)>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

describe.each(Object.entries(mails))('mail %s', (kind, mail) => {
  it('has its kind, and a subject with the product’s name and no secret', () => {
    expect(mail.kind).toBe(kind)
    expect(mail.subject).toMatch(/Earshot/)
    expect(mail.subject).not.toMatch(/012345|pkce_/)
  })

  it('contains every line of the plain text in the HTML', () => {
    const read = readText(mail)
    const lines = mail.text.split('\n').filter((line) => line !== '' && line !== '-- ')
    for (const line of lines) expect(read).toContain(line.replace(/:$/, ''))
  })

  it('escapes its values', () => {
    expect(mail.html).not.toContain('<img')
    if (!/^(?:organization|integration|token)_/.test(kind)) expect(mail.html).toContain(escaped)
  })

  it('loads nothing remote, and links to the instance only', () => {
    const addresses = [...mail.html.matchAll(/<[^>]*?\b(?:src|href|background)="([^"]*)"/g)].map(
      ([, address]) => address,
    )
    expect(addresses.length).toBeGreaterThan(0)
    for (const address of addresses) expect(address).toMatch(/^https:\/\/app\.example\.com(?:\/|$)/)
    expect(mail.html).not.toMatch(/<(img|script|link|iframe)\b|@import|@font-face/)
  })
})

describe.each(Object.entries(mailsWithLink))('mail %s', (_kind, { text, html: markup }) => {
  it('contains link and code, their validity, and advice for a person who didn’t request it', () => {
    expect(text).toContain('verify?token=pkce_abc&type=signup&redirect_to=')
    expect(markup).toContain('verify?token=pkce_abc&amp;type=signup&amp;redirect_to=')
    expect(text).toMatch(/^012345$/m)
    expect(text).toContain('work once, for 24 hours')
    expect(text).toMatch(/(?:Didn’t sign up|Didn’t request this|Not expecting this)\?/)
  })
})

describe('emails about the reader’s account', () => {
  it('contain only a code, without a button', () => {
    const { text, html: markup } = renderReauthentication({ ...content, validMinutes: 10 })
    expect(text).toMatch(/^012345$/m)
    expect(text).toContain('once, for 10 minutes')
    expect(markup).not.toMatch(/button|verify/)
  })

  it('name the time, and the next step if it was someone else', () => {
    expect(mails.password_changed?.text).toContain('on 21 November 2026 at 05:40 UTC')
    expect(mails.password_changed?.text).toContain('https://app.example.com/forgot-password')
    expect(mails.email_changed?.text).toContain('contact the administrator of app.example.com immediately')
    for (const mail of [mails.password_changed, mails.email_changed]) expect(mail?.html).not.toMatch(/012345|verify/)
  })

  it('mention the other address only where it must confirm', () => {
    expect(renderEmailChangeNew(content).text).toContain('We sent an email like this one to your current address')
    expect(renderEmailChangeNew({ ...content, isCurrentAsked: false }).text).not.toContain('current address')
  })
})

describe('renderOrganizationInvitation', () => {
  it('never links a name, and cuts a long one', () => {
    const mail = renderOrganizationInvitation({
      ...invitation,
      organizationName: 'Win at https://evil.example/now\r\nBcc: a@b.co',
      inviterName: 'x'.repeat(500),
    })
    for (const part of [mail.subject, mail.html, mail.text])
      expect(part).not.toMatch(/evil\.example|https:\/\/evil|a@b/)
    expect(mail.subject).not.toMatch(/[\r\n]/)
    expect(mail.text).toContain(`${'x'.repeat(79)}… invited you`)
    expect(mail.text).toContain('as an admin.')
  })

  it('works without the inviter’s name', () => {
    expect(renderOrganizationInvitation({ ...invitation, inviterName: null, role: 'member' }).text).toMatch(
      /^Someone on the team invited you to .* as a member\./m,
    )
  })
})

describe('formatLife', () => {
  it.each([
    [1, '1 minute'],
    [10, '10 minutes'],
    [60, '1 hour'],
    [90, '90 minutes'],
    [1440, '24 hours'],
    [2880, '2 days'],
    [10_080, '7 days'],
  ])('%i minutes are %s', (minutes, text) => {
    expect(formatLife(minutes)).toBe(text)
  })
})

describe('html', () => {
  it('escapes values once and leaves markup alone', () => {
    const inner = html`<b>${'<&>'}</b>`
    expect(html`<p title="${'"'}">${inner}${[inner, inner]}${3}</p>`.markup).toBe(
      '<p title="&quot;"><b>&lt;&amp;&gt;</b><b>&lt;&amp;&gt;</b><b>&lt;&amp;&gt;</b>3</p>',
    )
  })
})
