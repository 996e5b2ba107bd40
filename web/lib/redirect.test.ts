import { describe, expect, it } from 'vitest'
import { buildLoginPath, readRedirect } from './redirect.ts'

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

  it('leads back to where somebody was', () => {
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
  ])('does not honour %j', (target) => {
    expect(read(target)).toBe('/dashboard')
  })

  it('stays on this site whatever the path', () => {
    for (const target of ['/a//b', '/dashboard?x=//evil.example', '/https://evil.example']) {
      expect(new URL(read(target), 'https://app.example').host).toBe('app.example')
    }
  })
})
