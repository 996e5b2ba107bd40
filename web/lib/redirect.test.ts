import { describe, expect, it } from 'vitest'
import { addRedirect, buildCallbackUrl, buildLoginPath, readRedirect } from './redirect.ts'

describe('buildLoginPath', () => {
  it('keeps path and query', () => {
    expect(buildLoginPath({ pathname: '/dashboard/feedback', search: '?status=new&q=a b' })).toBe(
      '/login?redirect=%2Fdashboard%2Ffeedback%3Fstatus%3Dnew%26q%3Da+b',
    )
  })

  it('leaves the dashboard itself out', () => {
    expect(buildLoginPath({ pathname: '/dashboard', search: '?tour=1' })).toBe('/login')
  })
})

describe('readRedirect', () => {
  const read = (target: string) => readRedirect(`?${new URLSearchParams({ redirect: target })}`)

  it('leads back to the page before sign-in', () => {
    const path = '/dashboard/feedback?status=new&q=a%20b#item'
    expect(read(path)).toBe(path)
  })

  it('leads to the dashboard when nothing is asked for', () => {
    expect(readRedirect('')).toBe('/dashboard')
    expect(readRedirect('?redirect=')).toBe('/dashboard')
  })

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '///evil.example/',
    '/\\evil.example/',
    '\\\\evil.example',
    '/\t/evil.example/',
    '/\n/evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/dashboard/..//evil.example',
    '/%2e%2e//evil.example',
    'javascript:alert(1)',
    'data:text/html,hello',
    'dashboard/projects',
    '@evil.example',
    '/login',
    '/login?redirect=/login',
    '/login/',
    '/register',
    '/auth/callback?next=/auth/callback',
    '/reset-password',
  ])('does not honour %j', (target) => {
    expect(read(target)).toBe('/dashboard')
  })

  it('stays on this site whatever the path', () => {
    for (const target of ['/a//b', '/dashboard?x=//evil.example', '/https://evil.example']) {
      expect(new URL(read(target), 'https://app.example').host).toBe('app.example')
    }
  })
})

describe('addRedirect', () => {
  it('names where to go on to, unless that is the dashboard', () => {
    expect(addRedirect('/register', '/accept-invitation/a b')).toBe('/register?redirect=%2Faccept-invitation%2Fa+b')
    expect(addRedirect('/register', '/dashboard')).toBe('/register')
  })
})

describe('buildCallbackUrl', () => {
  it('says what the link is for and where it goes on to', () => {
    expect(buildCallbackUrl('https://app.example')).toBe('https://app.example/auth/callback')
    expect(buildCallbackUrl('https://app.example', { purpose: 'recovery' })).toBe(
      'https://app.example/auth/callback?type=recovery',
    )
    expect(buildCallbackUrl('https://app.example', { purpose: 'magiclink', next: '/dashboard/feedback?a=1' })).toBe(
      'https://app.example/auth/callback?type=magiclink&next=%2Fdashboard%2Ffeedback%3Fa%3D1',
    )
  })

  it('is read back with the rules of every redirect', () => {
    const { search } = new URL(buildCallbackUrl('https://app.example', { next: '/dashboard/feedback?a=1' }))
    expect(readRedirect(search, 'next')).toBe('/dashboard/feedback?a=1')
    expect(readRedirect('?next=//evil.example', 'next')).toBe('/dashboard')
    expect(readRedirect('?redirect=/dashboard/feedback', 'next')).toBe('/dashboard')
  })
})
