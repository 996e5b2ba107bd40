import type { ServerBuild } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPageCache } from './page-cache.ts'

/* Ages of public pages. `web-app.test.ts` has the pages of the build. */

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function openCache() {
  const module = { handle: { isPublic: true }, default: () => null }
  // What the cache reads of a build.
  const build = { routes: { post: { id: 'post', path: 'blog/:slug', module } } } as unknown as ServerBuild
  let text: string | undefined = 'first'
  let renderings = 0
  const cache = createPageCache(build, async () => {
    renderings += 1
    if (text === 'broken') throw new Error('The database is away.')
    return { status: text === undefined ? 404 : 200, headers: [], body: Buffer.from(text ?? '') }
  })
  const nonces = { script: 'a'.repeat(32), style: 'b'.repeat(32) }
  return {
    setText: (next: string | undefined) => {
      text = next
    },
    countRenderings: () => renderings,
    read: async () => {
      const page = await cache.find('/blog/post', { nonces, acceptedEncodings: undefined, onRender: () => {} })
      return page?.body.toString()
    },
  }
}

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

describe('a public page', () => {
  it('is answered from memory, and rendered again after an answer when it is 30 s old', async () => {
    const { read, setText, countRenderings } = openCache()
    expect(await read()).toBe('first')
    setText('second')
    pass(29)
    expect(await read()).toBe('first')
    expect(countRenderings()).toBe(1)
    pass(2)
    expect(await read()).toBe('first')
    await expect.poll(read).toBe('second')
    expect(countRenderings()).toBe(2)
  })

  it('that was withdrawn is not answered after a minute, however long no one asked', async () => {
    const { read, setText } = openCache()
    expect(await read()).toBe('first')
    setText(undefined)
    pass(3600)
    expect(await read()).toBeUndefined()
  })

  it('is answered as it was while it can’t be rendered', async () => {
    const { read, setText } = openCache()
    expect(await read()).toBe('first')
    setText('broken')
    pass(3600)
    expect(await read()).toBe('first')
    setText('second')
    expect(await read()).toBe('second')
  })
})
