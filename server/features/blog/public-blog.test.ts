import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlogPost } from '#contract/blog-posts.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log/log.ts'
import { createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { type BlogReader, createBlogReader } from './reading/blog-reader.ts'
import { readPosts } from './reading/read-posts.ts'
import { writeFeed } from './reading/write-feed.ts'

/* What anyone can read of the blog. Posts are written over HTTP. */

let server: TestServer
let token: string
let database: Database

beforeAll(async () => {
  server = await startTestServer({ API_RATE_PER_MINUTE: '100000', BLOG_BUILT_IN_POSTS: 'off' })
  token = await server.signIn(await createUser(server.client, { fullName: 'Sam Super' }))
  const log = createLog({ level: 'silent' })
  database = openDatabase({ url: server.databaseUrl, log, maxConnections: 2 })
})
afterAll(async () => {
  await database.close()
  await server.stop()
})

async function call<T>(path: string, options: { method?: string; body?: unknown }): Promise<T> {
  const reply = await server.call(`/api/v1/superadmin/blog${path}`, { token, ...options })
  const text = await reply.text()
  expect(reply.status, text).toBeLessThan(300)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

async function write(title: string, change: Partial<BlogPost> = {}): Promise<BlogPost> {
  const { id } = await call<BlogPost>('/posts', { body: { id: randomUUID(), title } })
  return save(await call<BlogPost>(`/posts/${id}`, {}), { markdown: `Words of ${title}.`, ...change })
}

function save(post: BlogPost, change: Partial<BlogPost>): Promise<BlogPost> {
  const {
    id,
    state: _state,
    publishedAt: _at,
    createdAt: _created,
    updatedAt: _updated,
    coverUrl: _url,
    ...body
  } = post
  return call(`/posts/${id}`, { method: 'PUT', body: { ...body, ...change } })
}

const publish = ({ id, version }: BlogPost, state = 'published', publishAt?: string) =>
  call<BlogPost>(`/posts/${id}/publication`, { method: 'PUT', body: { version, state, publishAt } })

/** As another process reads it, which has nothing in memory. */
const openReader = (builtIn: Parameters<typeof createBlogReader>[1] = async () => []): BlogReader =>
  createBlogReader(database, builtIn)
const listSlugs = async () => (await openReader().list()).map(({ slug }) => slug)
const feed = async () => (await fetch(`${server.url}/blog/rss.xml`)).text()

describe('the blog', () => {
  it('shows published posts alone, newest first', async () => {
    const first = await publish(await write('First seen'))
    const second = await publish(await write('Second seen'))
    const draft = await write('Secret draft')
    const late = await publish(await write('Secret schedule'), 'scheduled', new Date(Date.now() + 60_000).toISOString())
    const deleted = await publish(await write('Secret trash'))
    await call(`/posts/${deleted.id}`, { method: 'DELETE' })
    expect(await listSlugs()).toEqual([second.slug, first.slug])
    for (const { slug } of [draft, late, deleted]) expect(await openReader().read(slug)).toBeUndefined()
    expect(await feed()).not.toContain('Secret')
    // The time has come.
    await server.client.query(`update blog_posts set published_at = now() - interval '1 hour' where id = $1`, [late.id])
    expect(await listSlugs()).toEqual([second.slug, first.slug, late.slug])
  })

  it('shows a post with those before and after it, and hostile markup as text', async () => {
    const [one, two, three] = [await write('Page one'), await write('Page two'), await write('Page three')]
    await publish(one)
    await publish(await save(two, { markdown: 'Safe <img src=x onerror=alert(1)> [x](javascript:alert(1))' }))
    await publish(three)
    const found = await openReader().read(two.slug)
    if (!found || 'movedTo' in found) throw new Error('The post is not there.')
    expect(found).toMatchObject({
      seoTitle: 'Page two',
      older: { slug: one.slug },
      newer: { slug: three.slug },
      readingMinutes: 1,
      authorName: 'Sam Super',
    })
    expect(found.html).not.toMatch(/<img|href="javascript/)
  })

  it('leads from former slugs to the present one, as long as the post can be read', async () => {
    let post = await publish(await write('Old name'))
    post = await save(post, { slug: 'new-name' })
    expect(await openReader().read('old-name')).toEqual({ movedTo: 'new-name' })
    post = await publish(post, 'draft')
    expect(await openReader().read('old-name')).toBeUndefined()
    post = await publish(await save(post, { slug: 'newest-name' }))
    expect(await openReader().read('new-name')).toEqual({ movedTo: 'newest-name' })
    // Another post takes the slug.
    await publish(await write('Old name'))
    expect(await openReader().read('old-name')).toMatchObject({ seoTitle: 'Old name' })
    expect(post.slug).toBe('newest-name')
  })

  it.each(['../secret', '..%2fsecret', '%00', 'a\u0000b', 'UPPER', 'a--b', "a'or 1=1", 'constructor'])(
    'knows no post called %j',
    async (slug) => {
      expect(await openReader().read(slug)).toBeUndefined()
    },
  )

  it('knows no post with a name of 5,000 characters', async () => {
    for (const part of ['x', '-', 'x-', '%2e']) expect(await openReader().read(part.repeat(5000))).toBeUndefined()
  })

  it('has the posts of files too, unless a post of its own has the slug', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'earshot-posts-'))
    try {
      await writeFile(
        join(folder, 'small.md'),
        '---\ntitle: "Small: a widget"\ndescription: Why it is small.\ntags: widget, speed\ndate: 2026-01-02\n---\n\nIt is.\n',
      )
      const reader = openReader(() => readPosts(folder))
      expect((await reader.list()).at(-1)).toMatchObject({
        slug: 'small',
        title: 'Small: a widget',
        tags: ['widget', 'speed'],
        publishedAt: '2026-01-02T00:00:00.000Z',
      })
      expect(await reader.read('small')).toMatchObject({ html: '<p>It is.</p>\n', seoDescription: 'Why it is small.' })
      expect(await reader.countBuiltIn()).toBe(1)
      await publish(await write('Small'))
      reader.forget()
      expect(await reader.read('small')).toMatchObject({ seoTitle: 'Small' })
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('the feed', () => {
  it('is RSS with absolute links, whole summaries and dates of RFC 822', async () => {
    const summary = `Tom & Jerry's <b>"words"</b> ${'and more '.repeat(50)}`.trim()
    const post = await publish(await write('A <feed> & more', { summary, tags: ['a&b'] }))
    const reply = await fetch(`${server.url}/blog/rss.xml`)
    expect(reply.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
    const text = await reply.text()
    const item = text.split('<item>').find((each) => each.includes(post.slug)) ?? ''
    expect(item).toContain('<title>A &lt;feed&gt; &amp; more</title>')
    expect(item).toContain(`<link>${server.url}/blog/${post.slug}</link>`)
    expect(item).toContain(
      `<description>Tom &amp; Jerry&#39;s &lt;b&gt;&quot;words&quot;&lt;/b&gt; ${'and more '.repeat(50).trim()}</description>`,
    )
    expect(item).toContain('<dc:creator>Sam Super</dc:creator>\n<category>a&amp;b</category>')
    const date = /<pubDate>(.*)<\/pubDate>/.exec(item)?.[1] ?? ''
    expect(date).toMatch(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/)
    expect(Date.parse(date)).toBe(Math.floor(Date.parse(post.publishedAt ?? '') / 1000) * 1000)
    // Nothing but entities follows an ampersand, and every element ends.
    expect(text.replaceAll(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&')
    const names = [...text.matchAll(/<(\/?)([\w:]+)[^>]*?(\/?)>/g)].filter(([, , , end]) => end === '')
    const open: string[] = []
    for (const [, isEnd, name = ''] of names) isEnd ? expect(open.pop()).toBe(name) : open.push(name)
    expect(open).toEqual([])
  })

  it('is not sent again to who has it, until a post changes', async () => {
    const ask = async (etag: string) =>
      fetch(`${server.url}/blog/rss.xml`, { headers: { 'if-none-match': `"other", W/${etag}` } })
    const etag = (await fetch(`${server.url}/blog/rss.xml`)).headers.get('etag') ?? ''
    const same = await ask(etag)
    expect([same.status, await same.text()]).toEqual([304, ''])
    await publish(await write('News'))
    expect((await ask(etag)).status).toBe(200)
  })

  it('is valid without any post', () => {
    expect(writeFeed('https://earshot.example', [])).toContain('<link>https://earshot.example/blog</link>')
  })
})
