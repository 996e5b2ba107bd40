import { describe, expect, it } from 'vitest'
import { alignEvents, findRecordingStart } from './align-events.ts'

const startedAtMs = 1_700_000_000_000

describe('alignEvents', () => {
  it('keeps what happened during the recording, in order, with the events right before it', () => {
    const events = alignEvents(
      {
        console: [
          [startedAtMs - 60_000, 'error', 'long ago'],
          [startedAtMs - 1000, 'error', 'just before'],
          [startedAtMs + 4000, 'warn', 'during'],
          [startedAtMs + 90_000, 'error', 'after'],
        ],
        network: [[startedAtMs + 2000, 'POST', 'https://a.test/pay', 503, 88]],
        routes: [[startedAtMs + 5000, '/thanks']],
      },
      { startedAtMs, durationMs: 10_000 },
    )
    expect(events).toEqual([
      { atMs: 0, kind: 'console', level: 'error', text: 'just before' },
      { atMs: 2000, kind: 'network', level: 'error', text: 'POST https://a.test/pay 503 · 88 ms' },
      { atMs: 4000, kind: 'console', level: 'warn', text: 'during' },
      { atMs: 5000, kind: 'page', level: 'info', text: '/thanks' },
    ])
  })

  it('bears whatever strangers send', () => {
    expect(alignEvents({ console: 'x', network: [[1]], routes: null }, { startedAtMs, durationMs: 1 })).toEqual([])
  })
})

describe('findRecordingStart', () => {
  it('reads the time of a UUIDv7, and of no other id', () => {
    const hex = startedAtMs.toString(16).padStart(12, '0')
    expect(findRecordingStart(`${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`)).toBe(startedAtMs + 3000)
    expect(findRecordingStart('2f1a1d5e-7c1d-4b39-9c43-0e7d4f7f7f7f')).toBeUndefined()
  })
})
