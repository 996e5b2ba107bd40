import { afterEach, describe, expect, it, vi } from 'vitest'
import { resumeGoogleAttempt, startAuthAttempt, startGoogleAttempt } from './auth-attempt.ts'
import { authAttemptEventName } from './auth-attempt-event.ts'

function listen(): unknown[] {
  const stored = new Map<string, string>()
  const window = Object.assign(new EventTarget(), {
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    },
  })
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

  it('reports the category of a failure without its text', () => {
    const seen = listen()
    startAuthAttempt('sign_up', () => 0).fail({ code: 'weak_password', message: 'ada@example.com' })
    expect(seen[1]).toEqual({ outcome: 'failure', method: 'sign_up', durationMs: 0, category: 'validation' })
  })
})

describe('startGoogleAttempt', () => {
  it('is ended by the page that the browser comes back to', () => {
    const seen = listen()
    startGoogleAttempt(() => 5000)
    resumeGoogleAttempt(() => 17_250)?.cancel()
    expect(seen).toEqual([
      { outcome: 'attempt', method: 'google' },
      { outcome: 'cancel', method: 'google', durationMs: 12_250 },
    ])
  })

  it('is ended once', () => {
    listen()
    startGoogleAttempt(() => 5000)
    expect(resumeGoogleAttempt(() => 6000)).toBeDefined()
    expect(resumeGoogleAttempt(() => 7000)).toBeUndefined()
  })

  it('counts an error from the provider as an OAuth failure, unless the network failed', () => {
    const seen = listen()
    startGoogleAttempt(() => 0)
    resumeGoogleAttempt(() => 1)?.fail({ code: 'bad_code_verifier' })
    startGoogleAttempt(() => 0)
    resumeGoogleAttempt(() => 1)?.fail({ message: 'Failed to fetch' })
    expect(seen.filter((event) => (event as { outcome: string }).outcome === 'failure')).toMatchObject([
      { category: 'oauth' },
      { category: 'network' },
    ])
  })
})
