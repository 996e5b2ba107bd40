import { describe, expect, it } from 'vitest'
import { buildInvitationPath, findInvitationToken } from './invitation-path.ts'

describe('findInvitationToken', () => {
  it.each(['a1b2', 'with/slash?and#mark', 'ü %'])('finds %j in its own path', (token) => {
    expect(findInvitationToken(buildInvitationPath(token))).toBe(token)
  })

  it('leaves out what follows', () => {
    expect(findInvitationToken('/accept-invitation/a1b2/?x=1#y')).toBe('a1b2')
  })

  it.each([
    '/dashboard',
    '/accept-invitation',
    '/accept-invitation/',
    '/accept-invitation/%zz',
    '/x/accept-invitation/a',
  ])('finds none in %s', (path) => {
    expect(findInvitationToken(path)).toBeUndefined()
  })
})
