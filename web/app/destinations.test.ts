import { describe, expect, it } from 'vitest'
import routes from '../routes.ts'
import { destinations } from './destinations.tsx'

interface RouteEntry {
  path?: string
  /** Given to further addresses of a screen. */
  id?: string
  children?: RouteEntry[]
}

const paths = (function list(entries: readonly RouteEntry[]): string[] {
  return entries.flatMap(({ path, id, children = [] }) => [
    // What may follow in an address is left out.
    ...(path && !id ? [`/${path.replace(/(\/:\w+\?)+$/, '')}`] : []),
    ...list(children),
  ])
})(routes as RouteEntry[])

describe('destinations', () => {
  it('lead to screens that exist, each by a letter of its own', () => {
    expect(paths).toEqual(expect.arrayContaining(destinations.map(({ to }) => to)))
    expect(new Set(destinations.map(({ letter }) => letter)).size).toBe(destinations.length)
  })

  it('name every screen of the dashboard’s first level', () => {
    const screens = paths.filter((path) => /^\/dashboard(\/[a-z]+)?$/.test(path))
    expect(destinations.map(({ to }) => to)).toEqual(expect.arrayContaining(screens))
  })
})
