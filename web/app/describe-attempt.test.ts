import { describe, expect, it } from 'vitest'
import { describeAttempt } from './describe-attempt.ts'

describe('describeAttempt', () => {
  it('counts a sign-up', () => {
    expect(describeAttempt({ outcome: 'success', method: 'sign_up', durationMs: 12 })).toEqual([
      'user_signed_up',
      { method: 'sign_up', duration_ms: 12 },
    ])
  })

  it.each(['password', 'google', 'callback'] as const)('counts a sign-in by %s', (method) => {
    expect(describeAttempt({ outcome: 'success', method, durationMs: 5 })?.[0]).toBe('user_logged_in')
  })

  it.each(['magic_link', 'recovery', 'new_password'] as const)('counts no sign-in for %s', (method) => {
    expect(describeAttempt({ outcome: 'success', method, durationMs: 5 })).toBeUndefined()
  })

  it('counts a failure with its kind', () => {
    expect(describeAttempt({ outcome: 'failure', method: 'password', durationMs: 5, category: 'validation' })).toEqual([
      'error_occurred',
      { method: 'password', duration_ms: 5, error_message: 'validation', context: 'auth' },
    ])
  })

  it('leaves beginnings and cancellations out', () => {
    expect(describeAttempt({ outcome: 'attempt', method: 'password' })).toBeUndefined()
    expect(describeAttempt({ outcome: 'cancel', method: 'google', durationMs: 5 })).toBeUndefined()
  })
})
