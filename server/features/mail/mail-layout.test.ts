import { describe, expect, it } from 'vitest'
import { renderConfirmSignUp } from './confirm-sign-up.mail.ts'
import { html } from './html.ts'

const mail = renderConfirmSignUp({
  appUrl: 'https://app.example.com',
  to: `"><img src=x onerror=alert(1)>&'@example.com`,
  link: 'https://app.example.com/auth/v1/verify?token=pkce_abc&type=signup&redirect_to=https%3A%2F%2Fapp.example.com',
  code: '012345',
  validMinutes: 24 * 60,
})

describe('renderConfirmSignUp', () => {
  it('says all of it in both parts', () => {
    for (const part of [mail.html, mail.text]) {
      expect(part).toContain('Confirm your email address')
      expect(part).toContain('012345')
      expect(part).toContain('24 hours')
      expect(part).toContain('app.example.com')
    }
    expect(mail.text).toContain('verify?token=pkce_abc&type=signup&redirect_to=')
    expect(mail.html).toContain('verify?token=pkce_abc&amp;type=signup&amp;redirect_to=')
  })

  it('takes what it is given for text, never for markup', () => {
    expect(mail.html).not.toContain('<img')
    expect(mail.html).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&amp;&#39;@example.com')
  })

  it('loads nothing from anywhere', () => {
    const addresses = [...mail.html.matchAll(/<[^>]*?\b(?:src|href|background)="([^"]*)"/g)].map(
      ([, address]) => address,
    )
    expect(addresses).toHaveLength(3)
    for (const address of addresses) expect(address).toMatch(/^https:\/\/app\.example\.com/)
    expect(mail.html).not.toMatch(/<(img|script|link|iframe)\b|@import|@font-face/)
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
