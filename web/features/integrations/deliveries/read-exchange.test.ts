import { describe, expect, it } from 'vitest'
import { formatBody, formatWait, readRequest } from './read-exchange.ts'

describe('readRequest', () => {
  it('keeps headers and body apart', () => {
    const request = 'POST https://example.com/\nuser-agent: Earshot\n\n{"a":1}\n\n{"b":2}'
    expect(readRequest(request)).toEqual({
      head: 'POST https://example.com/\nuser-agent: Earshot',
      body: '{"a":1}\n\n{"b":2}',
    })
    expect(readRequest('GET https://example.com/')).toEqual({ head: 'GET https://example.com/', body: '' })
  })
})

describe('formatBody', () => {
  it('indents JSON and leaves other text as it is', () => {
    expect(formatBody('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}')
    expect(formatBody('{"a":')).toBe('{"a":')
  })
})

describe('formatWait', () => {
  it('says how long until a moment', () => {
    const now = Date.parse('2026-11-22T12:00:00Z')
    const inMs = (ms: number) => formatWait(new Date(now + ms).toISOString(), now)
    expect([-5, 40_000, 300_000, 7_200_000].map(inMs)).toEqual(['now', 'in 40 s', 'in 5 min', 'in 2 h'])
  })
})
