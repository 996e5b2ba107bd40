import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { isDue, readPosts } from './reading/read-posts.ts'
import { writeFeed } from './reading/write-feed.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

async function readWritten(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-blog-'))
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    return await readPosts(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('posts', () => {
  it('of the product are three, with all that lists and search engines need', async () => {
    const posts = await readPosts(resolve(import.meta.dirname, '../../../docs/blog'))
    expect(posts).toHaveLength(3)
    for (const { title, description, tags, readingMinutes, html } of posts) {
      expect([title, description, tags.length > 0, readingMinutes > 1, html.length > 2000]).toEqual([
        expect.stringMatching(/.{10}/),
        expect.stringMatching(/.{40}/),
        true,
        true,
        true,
      ])
    }
  })

  it('are the newest first, and those of days to come are not due', async () => {
    const posts = await readWritten({
      'one.md': '---\ntitle: One\ndate: 2026-01-01\n---\n\nText',
      'three.md': '---\ntitle: Three\ndate: 2026-03-01\n---\n\nText',
      'two.md': '---\ntitle: Two\ndate: 2026-02-01\n---\n\nText',
      'no-post.txt': 'Text',
    })
    expect(posts.map(({ title }) => title)).toEqual(['Three', 'Two', 'One'])
    // The day begins in UTC.
    const isOut = (at: string) => posts.filter((post) => isDue(post, new Date(at))).map(({ slug }) => slug)
    expect(isOut('2026-01-31T23:59:59+00:00')).toEqual(['one'])
    expect(isOut('2026-02-01T01:30:00+02:00')).toEqual(['one'])
    expect(isOut('2026-01-31T19:00:00-05:00')).toEqual(['two', 'one'])
  })

  it('show markup as text, and a missing date by the name of the file', async () => {
    const [post] = await readWritten({ 'x.md': '---\ntitle: X\ndate: 2026-01-01\n---\n\n<script>alert(1)</script>' })
    expect(post?.html).toContain('&lt;script&gt;')
    await expect(readWritten({ 'undated.md': '# Text' })).rejects.toThrow('undated.md')
  })
})

describe('GET /blog/rss.xml', () => {
  it('lists every post by its whole address, with a date of RFC 822', async () => {
    const reply = await fetch(`${server.url}/blog/rss.xml`)
    expect(reply.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
    const feed = await reply.text()
    expect(feed.match(/<item>/g)).toHaveLength(3)
    expect(feed).toMatch(/<link>https?:\/\/[^<]+\/blog\/why-no-feedback-is-lost<\/link>/)
    expect(feed).toMatch(/<pubDate>\w{3}, \d\d \w{3} 2026 00:00:00 GMT<\/pubDate>/)
  })

  it('escapes what stands in a post', () => {
    const at = '2026-01-01T00:00:00.000Z'
    const post = { guid: 'a', slug: 'a', title: 'A & <b>', description: '"x"', tags: ['<t>'], readingMinutes: 1 }
    const rest = { authorName: '', coverUrl: null, publishedAt: at, updatedAt: at }
    const feed = writeFeed('https://a.example', [{ ...post, ...rest }])
    expect(feed).toContain('<title>A &amp; &lt;b&gt;</title>')
    expect(feed).toContain('<category>&lt;t&gt;</category>')
  })

  it('is empty where the instance does not show these posts', async () => {
    const other = await startTestServer({ BLOG_BUILT_IN_POSTS: 'off' })
    try {
      expect(await (await fetch(`${other.url}/blog/rss.xml`)).text()).not.toContain('<item>')
      expect(await (await fetch(`${other.url}/sitemap.xml`)).text()).not.toContain('/blog/')
    } finally {
      await other.stop()
    }
  })
})
