import { describe, expect, it } from 'vitest'
import { describeRequester } from './requester.ts'

const at = new Date('2026-11-21T05:40:00Z')

describe('describeRequester', () => {
  it('names time, browser and network, without the address of one person', () => {
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
    expect(describeRequester({ at, userAgent, ip: '203.0.113.77' })).toBe(
      'Requested on 21 November 2026 at 05:40 UTC, in Firefox 145 on Linux, from the network 203.0.113.x.',
    )
  })

  it.each([
    ['::ffff:203.0.113.77', ', from the network 203.0.113.x.'],
    ['2001:db8:12:3400::1', ', from the network 2001:db8:12::x.'],
    ['2001:db8::1', ', from the network 2001:db8::x.'],
    ['nonsense', ', in an unknown browser.'],
    [null, ', in an unknown browser.'],
  ])('shortens %s', (ip, end) => {
    const text = describeRequester({ at, userAgent: '<b>Evil</b>', ip })
    expect(text.endsWith(end), text).toBe(true)
    expect(text).not.toMatch(/Evil|77|3400/)
  })
})
