import { AuthClient } from '@supabase/auth-js'
import { describe, expect, it } from 'vitest'
import { enterSessionLink, readSessionLink } from './session-link.ts'

const accessToken = `e30.${Buffer.from('{"email":"ada@example.com"}').toString('base64url')}.c2ln`

describe('readSessionLink', () => {
  it('reads the email address and the path to open next', () => {
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

describe('enterSessionLink', () => {
  // The auth server's answers: it did not sign the access token, but the refresh token is a stranger's valid one.
  const asked: string[] = []
  const answer = async (input: RequestInfo | URL) => {
    const { pathname } = new URL(String(input))
    asked.push(pathname)
    if (pathname === '/user') return Response.json({ error_code: 'bad_jwt', msg: 'invalid JWT' }, { status: 403 })
    const user = { id: 'stranger', email: 'stranger@example.com' }
    return Response.json({ access_token: accessToken, refresh_token: 'next', expires_in: 3600, user })
  }

  it('does not enter a stranger’s session behind a forged, expired token that names another person', async () => {
    const auth = new AuthClient({ url: 'https://earshot.test', fetch: answer, persistSession: false })
    const payload = Buffer.from('{"email":"ada@example.com","exp":1}').toString('base64url')
    const forged = { accessToken: `e30.${payload}.c2ln`, refreshToken: 'good', email: 'ada@example.com', next: '/' }
    expect(await enterSessionLink(auth, forged)).toMatchObject({ code: 'bad_jwt' })
    expect(asked).toEqual(['/user'])
    expect((await auth.getSession()).data.session).toBeNull()
  })
})
