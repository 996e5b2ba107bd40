import { describe, expect, it, vi } from 'vitest'
import { describeLinkError, findLinkError, findLinkSuccess, removeSpoken } from './link-messages.ts'

describe('findLinkError', () => {
  it('reads the fragment', () => {
    expect(
      findLinkError({ search: '', hash: '#error=access_denied&error_code=otp_expired&error_description=It+is+over' }),
    ).toEqual({ code: 'otp_expired', description: 'It is over' })
  })

  it('prefers the query', () => {
    expect(findLinkError({ search: '?error_code=user_banned', hash: '#error_code=otp_expired' })?.code).toBe(
      'user_banned',
    )
  })

  it('takes the bare error of a provider', () => {
    expect(findLinkError({ search: '?error=access_denied', hash: '' })?.code).toBe('access_denied')
  })

  it('finds nothing in an ordinary address', () => {
    expect(findLinkError({ search: '?code=1', hash: '#top' })).toBeUndefined()
  })
})

describe('describeLinkError', () => {
  it('offers another email when the link has expired', () => {
    const resend = vi.fn()
    const toast = describeLinkError({ code: 'otp_expired', description: '' }, resend)
    expect(toast).toMatchObject({
      title: 'Email Link Expired',
      description: 'Your email confirmation link has expired. Please request a new one.',
      durationMs: 10_000,
    })
    expect(toast.action?.label).toBe('Resend Email')
    toast.action?.onPress()
    expect(resend).toHaveBeenCalledOnce()
  })

  it('explains every other error', () => {
    const toast = describeLinkError({ code: 'user_banned', description: '' }, () => undefined)
    expect(toast).toMatchObject({
      title: 'Authentication Error',
      description: 'This account has been suspended. Please contact support.',
    })
    expect(toast.action).toBeUndefined()
  })
})

describe('findLinkSuccess', () => {
  it('reads confirmed and success with their message', () => {
    expect(findLinkSuccess('?confirmed=true')).toMatchObject({ title: 'Email Confirmed' })
    expect(findLinkSuccess('?success=true&message=Done')).toMatchObject({ title: 'Success', description: 'Done' })
    expect(findLinkSuccess('?confirmed=yes')).toBeUndefined()
  })

  it('is removed from the address, and nothing else is', () => {
    expect(removeSpoken('?confirmed=true&message=x&redirect=%2Fa')).toBe('?redirect=%2Fa')
    expect(removeSpoken('?success=true')).toBe('')
  })
})
