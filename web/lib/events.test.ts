import { describe, expect, it } from 'vitest'
import { computeDelayMs, createEventParser } from './events.ts'

function parseInPieces(text: string, size: number): unknown[] {
  const events: unknown[] = []
  const parse = createEventParser((data) => events.push(data))
  for (let start = 0; start < text.length; start += size) parse(text.slice(start, start + size))
  return events
}

describe('createEventParser', () => {
  const stream =
    ': hello\n\ndata: {"kind":"a"}\n\n: still here\n\nevent: x\nid: 7\ndata:{"kind":\ndata: "b"}\n\r\ndata: {"kind":"c"}\r\n\r\ndata: {"cut'

  it('reads whole events however the stream is cut', () => {
    for (let size = 1; size <= stream.length; size += 1) {
      expect(parseInPieces(stream, size)).toEqual([{ kind: 'a' }, { kind: 'b' }, { kind: 'c' }])
    }
  })

  it('passes over what is no JSON', () => {
    expect(parseInPieces('data: nonsense\n\ndata: 1\n\n', 5)).toEqual([1])
  })
})

describe('computeDelayMs', () => {
  it('doubles up to 30 s', () => {
    expect([0, 1, 2, 3, 4, 5, 50].map((failures) => computeDelayMs(failures, () => 1))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ])
  })

  it('spreads over half of it', () => {
    expect(computeDelayMs(3, () => 0)).toBe(4000)
  })
})
