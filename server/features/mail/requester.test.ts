import { describe, expect, it } from 'vitest'
import { describeRequester } from './requester.ts'

const at = new Date('2026-11-21T05:40:00Z')

describe('describeRequester', () => {
  it('names time, browser and network, without the address of one person', () => {
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
    expect(describeRequester({ at, userAgent, ip: '203.0.113.77' })).toEqual({
      time: '21 November 2026 at 05:40 UTC',
      browser: 'Firefox 145 on Linux',
      networkAddress: '203.0.113.x',
    })
  })

  it.each([
    ['::ffff:203.0.113.77', '203.0.113.x'],
    ['2001:db8:12:3400::1', '2001:db8:12::x'],
    ['2001:db8::1', '2001:db8::x'],
    ['nonsense', ''],
    [null, ''],
  ])('shortens %s', (ip, networkAddress) => {
    expect(describeRequester({ at, userAgent: '<b>Evil</b>', ip })).toEqual({
      time: '21 November 2026 at 05:40 UTC',
      browser: 'an unknown browser',
      networkAddress,
    })
  })
})
