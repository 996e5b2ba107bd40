import { describe, expect, it } from 'vitest'
import { type Arrival, decideCallback, readCallback } from './callback-outcome.ts'

const signedOut = { isSignedIn: false, isRecovered: false }
const signedIn = { isSignedIn: true, isRecovered: false }
const nothing: Arrival = { error: undefined, wasExchanged: false, wasGoogle: false }
const exchanged: Arrival = { ...nothing, wasExchanged: true }

function read(address: string) {
  const { search, hash } = new URL(address, 'https://app.example/auth/callback')
  return readCallback({ search, hash })
}

describe('readCallback', () => {
  it('reads the purpose of the link and the path to open next', () => {
    expect(read('?code=1&type=magiclink&next=%2Fdashboard%2Ffeedback')).toEqual({
      purpose: 'magiclink',
      next: '/dashboard/feedback',
      hasCode: true,
      error: undefined,
      isHalfConfirmed: false,
    })
  })

  it('opens no other site', () => {
    expect(read('?code=1&next=//evil.example').next).toBe('/dashboard')
  })

  it('counts the bare refusal of a provider as a cancel, but not an emailed link’s', () => {
    expect(read('?error=access_denied&error_description=x#error=access_denied').error?.code).toBe('oauth_no_code')
    expect(read('#error=access_denied&error_code=otp_expired').error?.code).toBe('otp_expired')
  })

  it('recognises the first of two confirmations', () => {
    const message = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'
    expect(read(`#${new URLSearchParams({ message })}`).isHalfConfirmed).toBe(true)
    expect(read('?message=Call+this+number').isHalfConfirmed).toBe(false)
  })
})

describe('decideCallback', () => {
  it('opens the next path after the exchange', () => {
    expect(decideCallback(read('?code=1&next=/dashboard/projects'), exchanged, signedIn)).toEqual({
      kind: 'go',
      to: '/dashboard/projects',
    })
  })

  it('leads to the new password after a recovery, named in the address or by the session', () => {
    expect(decideCallback(read('?code=1&type=recovery'), exchanged, signedIn)).toMatchObject({ to: '/reset-password' })
    expect(decideCallback(read('?code=1'), exchanged, { isSignedIn: true, isRecovered: true })).toMatchObject({
      to: '/reset-password',
    })
  })

  it('shows a failed link on the login screen, which still leads on', () => {
    const callback = read('?type=magiclink&next=/dashboard/projects&error=access_denied&error_code=otp_expired')
    expect(decideCallback(callback, nothing, signedOut)).toEqual({
      kind: 'go',
      to: '/login?redirect=%2Fdashboard%2Fprojects#error_code=otp_expired&type=magiclink',
    })
  })

  it('leads a failed recovery to the form for a new link, signed in or not', () => {
    const callback = read('?type=recovery#error_code=otp_expired&error_description=over')
    for (const session of [signedOut, signedIn]) {
      expect(decideCallback(callback, nothing, session)).toEqual({
        kind: 'go',
        to: '/forgot-password#error_code=otp_expired&error_description=over&type=recovery',
      })
    }
  })

  it.each([
    ['?error=access_denied', 'oauth_no_code'],
    ['?error=access_denied&error_code=provider_email_needs_verification', 'provider_email_needs_verification'],
    ['?error=interaction_required', 'oauth_error'],
    ['?error=server_error&error_description=network+unreachable', 'server_error'],
  ])('names the error of Google in %s', (address, code) => {
    expect(decideCallback(read(address), { ...nothing, wasGoogle: true }, signedOut)).toMatchObject({
      to: expect.stringContaining(`#error_code=${code}`),
    })
  })

  it('explains a code that was requested in another browser', () => {
    expect(decideCallback(read('?code=1'), nothing, signedOut)).toEqual({
      kind: 'explain',
      error: { code: 'pkce_error' },
      canRetry: false,
    })
  })

  it('explains an arrival with nothing', () => {
    expect(decideCallback(read(''), nothing, signedOut)).toMatchObject({ error: { code: 'oauth_no_code' } })
  })

  it.each([
    [{ status: 0, message: 'Failed to fetch' }, true],
    [{ status: 503, message: '' }, true],
    [{ status: 404, code: 'flow_state_not_found' }, false],
  ])('offers to try again after %j: %s', (error, canRetry) => {
    expect(decideCallback(read('?code=1'), { ...nothing, error }, signedOut)).toMatchObject({ error, canRetry })
  })

  it('explains a link that a signed-in person clicks for the second time', () => {
    for (const address of ['?code=1', '?type=signup#error=access_denied&error_code=otp_expired']) {
      expect(decideCallback(read(address), nothing, signedIn)).toMatchObject({
        to: '/dashboard',
        toast: { title: 'You are signed in' },
      })
    }
    expect(decideCallback(read('?error_code=user_banned'), nothing, signedIn)).toMatchObject({
      toast: { description: 'This account has been suspended. Please contact support.' },
    })
  })

  it('announces a changed address, and a change with only one of two links confirmed', () => {
    const back = '?type=email_change&next=/dashboard/settings'
    expect(decideCallback(read(`${back}&code=1`), exchanged, signedIn)).toMatchObject({
      to: '/dashboard/settings',
      toast: { title: 'Email address changed' },
    })
    // In another browser than the one that asked, the code can't be exchanged, but the address is changed.
    expect(decideCallback(read(`${back}&code=1`), nothing, signedOut)).toMatchObject({
      to: '/login?redirect=%2Fdashboard%2Fsettings',
      toast: { title: 'Email address changed' },
    })
    const half = read(`${back}&message=Please+proceed+to+confirm+link+sent+to+the+other+email`)
    for (const [session, to] of [
      [signedIn, '/dashboard/settings'],
      [signedOut, '/login?redirect=%2Fdashboard%2Fsettings'],
    ] as const) {
      expect(decideCallback(half, nothing, session)).toMatchObject({
        to,
        toast: { title: 'One more confirmation to go' },
      })
    }
  })

  it('shows no message to a signed-in person without parameters', () => {
    expect(decideCallback(read(''), nothing, signedIn)).toEqual({ kind: 'go', to: '/dashboard' })
  })
})
