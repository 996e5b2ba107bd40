import { describe, expect, it } from 'vitest'
import { redactAnalytics } from '#contract/redact-analytics.ts'

describe('redactAnalytics', () => {
  it.each([
    'email',
    'Email',
    'name',
    'phone',
    'address',
    'user id',
    'user_id',
    'userId',
    '$user_id',
    'first name',
    'first_name',
    'lastName',
    'full-name',
    'postal_code',
    'postalCode',
    'zip',
    'zip_code',
  ])('leaves out a property named %s', (name) => {
    expect(redactAnalytics({ [name]: 'anything', plan: 'growth' })).toEqual({ plan: 'growth' })
  })

  it('leaves them out at any depth', () => {
    expect(redactAnalytics({ $set: { email: 'a@b.co', plan: 'x' }, list: [{ name: 'Ada', n: 1 }] })).toEqual({
      $set: { plan: 'x' },
      list: [{ n: 1 }],
    })
  })

  it.each([
    'ada@example.com',
    'Sent to ada@example.com, twice',
    'ada+x%40mail.example.org',
    'mailto:ada@example.com',
    '<ada@example.com>',
    'a@b@example.com',
  ])('marks %s as an address', (text) => {
    expect(redactAnalytics({ text })).toEqual({ text: '[redacted email]' })
  })

  it('leaves them out however deep they are', () => {
    const deep = (value: unknown, levels: number): unknown =>
      levels === 0 ? value : { list: [deep(value, levels - 1)] }
    expect(redactAnalytics(deep({ email: 'x', full_name: 'x', plan: 'growth' }, 40))).toEqual(
      deep({ plan: 'growth' }, 40),
    )
  })

  it('takes no longer than a moment for a megabyte', () => {
    const started = performance.now()
    redactAnalytics({ a: 'a'.repeat(1e6), b: `@${'a@'.repeat(5e5)}`, c: 'a.'.repeat(5e5) })
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  it('keeps names that only sound alike', () => {
    const properties = { distinct_id: 'u-1', $session_id: 's', event_name: 'x', token: 'phc_1', filename: 'a.png' }
    expect(redactAnalytics(properties)).toEqual(properties)
  })

  it.each([
    ['https://app.example.com/auth/callback?code=secret#access_token=x', 'https://app.example.com/auth/callback'],
    ['https://app.example.com/accept-invitation/secret', 'https://app.example.com/accept-invitation/redacted'],
    ['/accept-invitation/secret', '/accept-invitation/redacted'],
    ['at /conversation/secret?x and /unsubscribe/secret', 'at /conversation/redacted?x and /unsubscribe/redacted'],
    ['/login?redirect=%2Faccept-invitation%2Fsecret', '/login'],
  ])('takes the secrets out of %s', (address, shown) => {
    expect(redactAnalytics({ $current_url: address })).toEqual({ $current_url: shown })
  })

  it.each(['@media', 'npm:@sentry/browser', 'a @ b', 'user@localhost', '3.5', 'name@'])('keeps %s', (text) => {
    expect(redactAnalytics({ text })).toEqual({ text })
  })

  it('leaves other values as they are', () => {
    const at = new Date(0)
    expect(redactAnalytics({ n: 1, ok: true, nothing: null, at })).toEqual({ n: 1, ok: true, nothing: null, at })
  })
})
