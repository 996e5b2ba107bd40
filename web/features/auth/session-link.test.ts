import { describe, expect, it } from 'vitest'
import { readSessionLink } from './session-link.ts'

const accessToken = `e30.${Buffer.from('{"email":"ada@example.com"}').toString('base64url')}.c2ln`

describe('readSessionLink', () => {
  it('reads whose session it is and where it leads', () => {
    const hash = `#${new URLSearchParams({ access_token: accessToken, refresh_token: 'r', type: 'magiclink' })}`
    expect(readSessionLink({ search: '?next=/dashboard/projects', hash })).toEqual({
      accessToken,
      refreshToken: 'r',
      email: 'ada@example.com',
      next: '/dashboard/projects',
    })
  })

  it.each(['recovery', 'invite'])('leads to a new password for %s', (type) => {
    const hash = `#${new URLSearchParams({ access_token: 'unreadable', refresh_token: 'r', type })}`
    expect(readSessionLink({ search: '', hash })).toMatchObject({ email: '', next: '/reset-password' })
  })

  it.each(['', '#', '#access_token=x', '#refresh_token=x', '#error=access_denied'])('finds none in %j', (hash) => {
    expect(readSessionLink({ search: '', hash })).toBeUndefined()
  })
})
