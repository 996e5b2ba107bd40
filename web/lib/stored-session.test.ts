import { describe, expect, it } from 'vitest'
import { mayAddressHoldSession } from './stored-session.ts'

describe('mayAddressHoldSession', () => {
  it.each([
    ['?code=1', ''],
    ['?next=%2F&error=access_denied', ''],
    ['', '#access_token=1&type=magiclink'],
    ['', '#error_code=otp_expired'],
  ])('sees what the auth client takes out of %s%s', (search, hash) => {
    expect(mayAddressHoldSession({ search, hash })).toBe(true)
  })

  it.each([
    ['', ''],
    ['?status=open&q=code', '#content'],
  ])('sees none in %s%s', (search, hash) => {
    expect(mayAddressHoldSession({ search, hash })).toBe(false)
  })
})
