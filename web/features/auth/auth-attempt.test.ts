import { afterEach, describe, expect, it, vi } from 'vitest'
import { authAttemptEventName, startAuthAttempt } from './auth-attempt.ts'

function listen(): unknown[] {
  const window = new EventTarget()
  const seen: unknown[] = []
  window.addEventListener(authAttemptEventName, (event) => seen.push((event as CustomEvent).detail))
  vi.stubGlobal('window', window)
  return seen
}

afterEach(() => vi.unstubAllGlobals())

describe('startAuthAttempt', () => {
  it('announces the attempt and its outcome with the duration', () => {
    const seen = listen()
    const times = [1000, 1420]
    startAuthAttempt('password', () => times.shift() ?? 0).succeed()
    expect(seen).toEqual([
      { outcome: 'attempt', method: 'password' },
      { outcome: 'success', method: 'password', durationMs: 420 },
    ])
  })

  it('puts a failure into a category and keeps the text out', () => {
    const seen = listen()
    startAuthAttempt('sign_up', () => 0).fail({ code: 'weak_password', message: 'ada@example.com' })
    expect(seen[1]).toEqual({ outcome: 'failure', method: 'sign_up', durationMs: 0, category: 'validation' })
  })
})
