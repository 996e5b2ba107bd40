import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlogContent, BlogLine, BlogPost, BlogRevision } from '#contract/blog-posts.ts'
import { createUser } from '#server/testing/builders.ts'
import { readCsv } from '#server/testing/read-csv.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

/* What superadmins do with the blog, over HTTP. */

let server: TestServer
let token: string
let otherToken: string

beforeAll(async () => {
  server = await startTestServer({ API_RATE_PER_MINUTE: '100000', BLOG_BUILT_IN_POSTS: 'off' })
  token = await server.signIn(await createUser(server.client, { fullName: 'Sam Super' }))
  const other = await createUser(server.client, { fullName: 'Olga Other' })
  await server.client.query('insert into app.superadmins (user_id) values ($1)', [other.id])
  otherToken = await server.signIn(other)
})
afterAll(() => server.stop())

interface Options {
  method?: string
  body?: unknown
  token?: string
}

const call = (path: string, options: Options = {}) =>
  server.call(`/api/v1/superadmin/blog${path}`, { token, ...options })

async function read<T = BlogPost>(path: string, options: Options = {}, status = 200): Promise<T> {
  const reply = await call(path, options)
  const text = await reply.text()
  expect(reply.status, text).toBe(status)
  return JSON.parse(text) as T
}

async function refusal(path: string, options: Options): Promise<unknown[]> {
  const reply = await call(path, options)
  const { code, fields } = (await reply.json()) as { code: string; fields?: { path: string }[] }
  return [reply.status, code, ...(fields ?? []).map(({ path: field }) => field)]
}

const create = (title: string, id = randomUUID()) => read('/posts', { body: { id, title } }, 201)

function contentOf(post: BlogPost): BlogContent {
  const { title, slug, summary, markdown, tags, authorName, seoTitle, seoDescription, coverId } = post
  return { title, slug, summary, markdown, tags, authorName, seoTitle, seoDescription, coverId }
}

const saving = (post: BlogPost, change: Partial<BlogContent> & { isAutosave?: boolean }, as = token) => ({
  method: 'PUT',
  token: as,
  body: { ...contentOf(post), version: post.version, ...change },
})
const save = (post: BlogPost, change: Partial<BlogContent> & { isAutosave?: boolean } = {}, as = token) =>
  read(`/posts/${post.id}`, saving(post, change, as))
const publish = (post: BlogPost, state = 'published', publishAt?: string) =>
  read(`/posts/${post.id}/publication`, { method: 'PUT', body: { version: post.version, state, publishAt } })
const revisions = async ({ id }: BlogPost) => (await read<{ items: BlogRevision[] }>(`/posts/${id}/revisions`)).items

describe('a post', () => {
  it('begins as a draft with its writer’s name and a slug of its title', async () => {
    const id = randomUUID()
    const post = await create('Straße nach Łódź & zurück', id)
    expect(post).toMatchObject({ id, state: 'draft', version: 1, authorName: 'Sam Super', publishedAt: null })
    expect(post.slug).toBe('strasse-nach-lodz-zurueck')
    // The answer was lost, and the call is made again.
    expect(await create('Straße nach Łódź & zurück', id)).toEqual(post)
    expect((await create('Straße nach Łódź & zurück')).slug).toBe('strasse-nach-lodz-zurueck-2')
    expect((await create('東京')).slug).toBe('post')
  })

  it('keeps its slug unique and readable', async () => {
    const [one, two] = [await create('Slug one'), await create('Slug two')]
    expect(await refusal(`/posts/${two.id}`, saving(two, { slug: 'slug-one' }))).toEqual([
      409,
      'post_slug_taken',
      'body.slug',
    ])
    expect(await refusal(`/posts/${two.id}`, saving(two, { slug: '…' }))).toEqual([
      400,
      'validation_failed',
      'body.slug',
    ])
    expect((await save(two, { slug: '../../Etc/Passwd' })).slug).toBe('etc-passwd')
    expect((await save(one, { title: 'Another name', slug: '' })).slug).toBe('another-name')
  })

  it('refuses what is not valid, naming the field', async () => {
    const post = await create('Fields')
    const cases: [Partial<BlogContent>, string][] = [
      [{ title: '   ' }, 'body.title'],
      [{ tags: ['fine', '  '] }, 'body.tags.1'],
      [{ markdown: 'a\u0000b' }, 'body.markdown'],
      [{ summary: 'x'.repeat(501) }, 'body.summary'],
      [{ coverId: randomUUID() }, 'body.coverId'],
    ]
    for (const [change, field] of cases) {
      expect(await refusal(`/posts/${post.id}`, saving(post, change))).toEqual([400, 'validation_failed', field])
    }
    expect(await read(`/posts/${post.id}`)).toEqual(post)
    expect((await call(`/posts/${randomUUID()}`)).status).toBe(404)
  })

  it('refuses a save of an older version, and takes the same save twice', async () => {
    const post = await create('Two editors')
    const saved = await save(post, { markdown: 'From Sam' })
    expect(saved.version).toBe(2)
    expect(await refusal(`/posts/${post.id}`, saving(post, { markdown: 'From Olga' }, otherToken))).toEqual([
      409,
      'edit_conflict',
    ])
    // The answer to the save was lost.
    expect(await save(post, { markdown: 'From Sam' })).toEqual(saved)
    expect(await save(saved)).toEqual(saved)
    expect((await revisions(post)).map(({ version }) => version)).toEqual([2, 1])
  })

  it('is found by words and state, page by page, in both orders, and the list is downloaded', async () => {
    const mark = `mark${Date.now()}`
    for (const number of [1, 2, 3]) await create(`${mark} ${number}`)
    const list = (query: string) =>
      read<{ items: BlogLine[]; nextCursor: string | null }>(`/posts?search=${mark.toUpperCase()}&${query}`)
    const first = await list('limit=2')
    expect(first.items.map(({ title }) => title)).toEqual([`${mark} 3`, `${mark} 2`])
    const second = await list(`limit=2&cursor=${first.nextCursor}`)
    expect([second.items.map(({ title }) => title), second.nextCursor]).toEqual([[`${mark} 1`], null])
    expect((await list('state=published')).items).toEqual([])
    const oldest = await list('order=oldest&limit=2')
    const rest = await list(`order=oldest&limit=2&cursor=${oldest.nextCursor}`)
    const titles = [...oldest.items, ...rest.items].map(({ title }) => title)
    expect(titles).toEqual([1, 2, 3].map((number) => `${mark} ${number}`))
    const rows = await readCsv(await call('/posts/exports', { body: { search: mark, order: 'oldest' } }))
    expect(rows.map(({ title, state }) => [title, state])).toEqual(titles.map((title) => [title, 'draft']))
    expect(await refusal('/posts?cursor=bm90aGluZw', {})).toEqual([400, 'validation_failed', 'query.cursor'])
  })

  it('goes to the trash and comes back as a draft', async () => {
    const post = await publish(await create('Not for long'))
    expect((await call(`/posts/${post.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await call(`/posts/${post.id}`, { method: 'DELETE' })).status).toBe(204)
    const list = async (query: string) =>
      (await read<{ items: BlogLine[] }>(`/posts${query}`)).items.some(({ id }) => id === post.id)
    expect([await list(''), await list('?state=deleted')]).toEqual([false, true])
    expect(await refusal(`/posts/${post.id}`, saving(post, { title: 'Late' }))).toEqual([404, 'post_not_found'])
    const restored = await read(`/posts/${post.id}/restoration`, { method: 'POST' })
    expect(restored).toMatchObject({ state: 'draft', publishedAt: null, title: 'Not for long' })
  })

  it('is audited', async () => {
    const post = await create('Audited')
    await publish(await save(post, { summary: 'In short' }))
    await call(`/posts/${post.id}`, { method: 'DELETE' })
    const { rows } = await server.client.query(
      'select action, actor_kind, actor_name, target_name from audit_log where target_id = $1 order by id',
      [post.id],
    )
    const by = { actor_kind: 'superadmin', actor_name: 'Sam Super', target_name: 'Audited' }
    expect(rows).toEqual(
      ['created', 'saved', 'published', 'deleted'].map((each) => ({ action: `blog_post.${each}`, ...by })),
    )
  })
})

describe('publication', () => {
  it('takes an instant in any time zone, and only one in the future', async () => {
    const post = await create('Scheduled')
    // 02:30 stands twice on this clock: the offset says which.
    const scheduled = await publish(post, 'scheduled', '2099-10-25T02:30:00+02:00')
    expect(scheduled).toMatchObject({ state: 'scheduled', publishedAt: '2099-10-25T00:30:00.000Z' })
    expect((await publish(scheduled, 'scheduled', '2099-10-25T02:30:00+01:00')).publishedAt).toBe(
      '2099-10-25T01:30:00.000Z',
    )
    const put = (body: object) => refusal(`/posts/${post.id}/publication`, { method: 'PUT', body })
    const past = new Date(Date.now() - 1000).toISOString()
    for (const body of [
      { version: 3, state: 'scheduled', publishAt: past },
      { version: 3, state: 'scheduled' },
      { version: 3, state: 'published', publishAt: '2099-01-01T00:00:00Z' },
    ]) {
      expect(await put(body)).toEqual([400, 'validation_failed', 'body.publishAt'])
    }
    expect(await put({ version: 1, state: 'published' })).toEqual([409, 'edit_conflict'])
  })

  it('keeps its time when a published post is published again', async () => {
    const once = await publish(await create('Once'))
    expect((await publish(once)).publishedAt).toBe(once.publishedAt)
    const draft = await publish({ ...once, version: once.version + 1 }, 'draft')
    expect(draft).toMatchObject({ state: 'draft', publishedAt: null })
  })
})

describe('revisions', () => {
  it('keep every save and one autosave of ten minutes, and can be restored', async () => {
    let post = await create('History')
    for (const markdown of ['a', 'ab', 'abc']) post = await save(post, { markdown, isAutosave: true })
    post = await save(post, { markdown: 'abcd', isAutosave: true }, otherToken)
    post = await save(post, { markdown: 'abcde' })
    const kept = await revisions(post)
    expect(kept.map(({ isAutosave, savedBy, characters }) => [isAutosave, savedBy, characters])).toEqual([
      [false, 'Sam Super', 5],
      [true, 'Olga Other', 4],
      [true, 'Sam Super', 3],
      [false, 'Sam Super', 0],
    ])
    const path = `/posts/${post.id}/revisions/${kept[2]?.id}`
    expect(await read<BlogContent>(path)).toMatchObject({ markdown: 'abc', slug: 'history' })
    expect(await refusal(`${path}/restoration`, { body: { version: 1 } })).toEqual([409, 'edit_conflict'])
    const restored = await read(`${path}/restoration`, { body: { version: post.version } })
    expect(restored).toMatchObject({ markdown: 'abc', version: post.version + 1 })
    const foreign = await create('Another history')
    expect((await call(`/posts/${foreign.id}/revisions/${kept[2]?.id}`)).status).toBe(404)
  })

  it('are not written into a published post by the editor itself', async () => {
    const post = await publish(await create('Public'))
    expect(await refusal(`/posts/${post.id}`, saving(post, { markdown: 'Half a', isAutosave: true }))).toEqual([
      409,
      'post_published',
    ])
    expect((await save(post, { markdown: 'Half a sentence.' })).markdown).toBe('Half a sentence.')
  })
})

describe('the preview', () => {
  it('shows hostile markup as text', async () => {
    const markdown = [
      '# Title',
      '<script>alert(1)</script>',
      '[link](javascript:alert(1)) ![](https://elsewhere.example/x.png) <img src=x onerror=alert(1)>',
    ].join('\n\n')
    const { html, readingMinutes } = await read<{ html: string; readingMinutes: number }>('/preview', {
      body: { markdown },
    })
    expect(html).not.toMatch(/<script|<img|href="javascript/i)
    expect(html).toContain('&lt;script&gt;')
    expect(readingMinutes).toBe(1)
  })
})
