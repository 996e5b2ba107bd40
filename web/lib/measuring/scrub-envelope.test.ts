import { describe, expect, it } from 'vitest'
import { scrubEnvelope } from './scrub-envelope.ts'

const send = (type: string, content: unknown) => {
  const [, items] = scrubEnvelope([{ event_id: 'a'.repeat(32) }, [[{ type }, content]]]) as [
    unknown,
    [[unknown, unknown]],
  ]
  return items[0][1]
}

describe('scrubEnvelope', () => {
  // Section 5 of the specification, one of each.
  it.each([
    ['an email address', 'Saving ada@example.com failed', 'ada@'],
    ['a bearer token', 'Authorization: Bearer abcdef0123456789abcdef', 'abcdef0123456789'],
    ['an API key', 'sk_live_51Habcdefghijklmnopqrstuv was refused', 'sk_live_51H'],
    ['an id of the payment provider', 'No such customer: cus_NffrFeUfNV2Hib', 'cus_Nffr'],
    ['a card number', 'Card 4242 4242 4242 4242 declined', '4242 4242'],
    ['a phone number', 'Call +1 (415) 555-2671 now', '555-2671'],
    ['an SSN-like number', 'SSN 078-05-1120', '078-05-1120'],
    ['an IP address', 'from 203.0.113.7 and 2001:db8::7', '203.0.113.7'],
    ['a token in a page address', 'https://app.example.com/accept-invitation/s3cr3tT0ken?x=1', 's3cr3tT0ken'],
    ['a code in a page address', 'https://app.example.com/auth/callback?code=q1w2e3r4t5', 'q1w2e3r4t5'],
  ])('removes %s from errors, spans, breadcrumbs and replays', (_what, text, secret) => {
    const event = {
      exception: { values: [{ type: 'Error', value: text, stacktrace: { frames: [{ filename: text }] } }] },
      breadcrumbs: [{ message: text, data: { url: text } }],
      request: { url: text },
      extra: { deep: [{ deeper: { text } }] },
    }
    expect(JSON.stringify(send('event', event))).not.toContain(secret)
    expect(
      JSON.stringify(send('span', { items: [{ name: text, attributes: { url: { value: text } } }] })),
    ).not.toContain(secret)
    expect(
      send('replay_recording', `{"segment_id":0}\n${JSON.stringify([{ type: 4, data: { href: text } }])}`),
    ).not.toContain(secret)
  })

  it.each(['password', 'client_secret', 'accessToken', 'api_key', 'authorization', 'credentials'])(
    'removes the value of a field named %s',
    (name) => {
      expect(JSON.stringify(send('event', { extra: { [name]: 'hunter2' } }))).not.toContain('hunter2')
    },
  )

  it('keeps ids, times and places of code', () => {
    const event = {
      event_id: '0123456789abcdef0123456789abcdef',
      timestamp: 1_795_438_800.123,
      release: '1.0.0',
      contexts: { trace: { trace_id: 'a1b2c3d4e5f60718293a4b5c6d7e8f90', span_id: 'a1b2c3d4e5f60718' } },
      exception: {
        values: [{ stacktrace: { frames: [{ filename: 'https://app.example.com/assets/a.js', lineno: 3 }] } }],
      },
    }
    expect(send('event', event)).toEqual(event)
  })

  it('cuts the user agent to 1,000 characters, and keeps the version in it', () => {
    const agent = `Mozilla/5.0 Chrome/141.0.0.0 ${'x'.repeat(3000)}`
    const headers = { 'User-Agent': agent }
    expect(send('event', { request: { headers } })).toEqual({
      request: { headers: { 'User-Agent': agent.slice(0, 1000) } },
    })
    const attributes = { 'user_agent.original': { type: 'string', value: agent } }
    expect(send('span', { items: [{ attributes }] })).toEqual({
      items: [{ attributes: { 'user_agent.original': { type: 'string', value: agent.slice(0, 1000) } } }],
    })
  })

  it('keeps the tree of a replay, however deep it is', () => {
    const deepen = (levels: number): unknown =>
      levels === 0 ? { textContent: 'ada@example.com' } : { childNodes: [deepen(levels - 1)] }
    const sent = String(send('replay_recording', `{"segment_id":0}\n${JSON.stringify([deepen(60)])}`))
    expect(sent).not.toContain('ada@')
    expect(sent.match(/childNodes/g)).toHaveLength(60)
  })

  it('sends no replay that it can’t read', () => {
    expect(send('replay_recording', new Uint8Array([1, 2, 3]))).toBe('')
    expect(send('replay_recording', '{"segment_id":0}\nnot JSON ada@example.com')).toBe('')
  })
})
