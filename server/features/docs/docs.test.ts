import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Guide, type GuidePassage, type GuideSummary, guideSections } from '#contract/docs.ts'
import type { Problem } from '#contract/errors.ts'
import { askAsWritten, pathTricks } from '#server/testing/ask-as-written.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { movedGuides } from './moved-guides.ts'

/* The documentation over HTTP, with the guides of this repository. */
let server: TestServer
let paths: string[]

beforeAll(async () => {
  server = await startTestServer({ DOCS_EDIT_URL: 'https://git.example.com/edit/docs/guides/' })
  const files = await readdir(join(import.meta.dirname, '../../../docs/guides'))
  paths = files.map((name) => name.replace(/\.md$/, '')).sort()
})
afterAll(() => server.stop())

async function ask<Body>(path: string): Promise<Body> {
  const reply = await server.call(path)
  expect(reply.status, path).toBe(200)
  return (await reply.json()) as Body
}

async function search(query: string): Promise<GuidePassage[]> {
  return (await ask<{ items: GuidePassage[] }>(`/api/v1/docs/search?q=${encodeURIComponent(query)}`)).items
}

/** Too long an address, or one that is none, is refused before it is looked at. */
const refusals = [400, 404, 414]

describe('GET /api/v1/docs/guides', () => {
  it('lists every guide, section by section', async () => {
    const { items } = await ask<{ items: GuideSummary[] }>('/api/v1/docs/guides')
    expect(items.map(({ path }) => path).sort()).toEqual(paths)
    const sections = [...new Set(items.map(({ section }) => section))]
    expect(sections).toEqual(guideSections.filter((section) => sections.includes(section)))
    // Each section stands together.
    const changes = items.filter(({ section }, index) => section !== items[index - 1]?.section)
    expect(changes).toHaveLength(sections.length)
    for (const { title, description } of items) {
      expect(title).not.toBe('')
      expect(description.length).toBeGreaterThan(10)
      expect(description.length).toBeLessThanOrEqual(200)
    }
  })
})

describe('GET /api/v1/docs/guides/{path}', () => {
  it('answers every guide, linked with the next one', async () => {
    const { items } = await ask<{ items: GuideSummary[] }>('/api/v1/docs/guides')
    let previous: { path: string; title: string } | null = null
    for (const [index, summary] of items.entries()) {
      const guide: Guide = await ask(`/api/v1/docs/guides/${summary.path}`)
      const { path, title } = summary
      expect(guide).toMatchObject({
        ...summary,
        previous,
        editUrl: `https://git.example.com/edit/docs/guides/${path}.md`,
      })
      expect(guide.next?.path).toBe(items[index + 1]?.path)
      expect(guide.html).not.toContain('<h1')
      expect(guide.html).not.toMatch(/\{\{(host|key)\}\}/)
      for (const { id } of guide.headings) expect(guide.html).toContain(`id="${id}"`)
      previous = { path, title }
    }
  })

  it.each(pathTricks)('finds nothing at %s', async (_name, path) => {
    const { status, text } = await askAsWritten(server.url, `/api/v1/docs/guides/${path}`)
    expect(refusals).toContain(status)
    expect(text).not.toContain('Earshot')
  })
})

describe('GET /docs/guides/{path}.md', () => {
  it('answers the text of every guide, with the address of this instance', async () => {
    for (const path of paths) {
      const reply = await server.call(`/docs/guides/${path}.md`)
      expect([reply.status, reply.headers.get('content-type')], path).toEqual([200, 'text/markdown; charset=utf-8'])
      const text = await reply.text()
      expect(text).toMatch(/^# \S/)
      expect(text).not.toMatch(/\{\{(host|key)\}\}/)
    }
  })

  it.each([...pathTricks, ['an upper case letter', 'Slack'] as const, ['another name', 'nothing'] as const])(
    'finds nothing at %s',
    async (_name, path) => {
      const { status, text } = await askAsWritten(server.url, `/docs/guides/${path}.md`)
      expect(refusals).toContain(status)
      expect(text).not.toContain('# ')
    },
  )
})

describe('GET /llms.txt', () => {
  it('names every guide under its section, each with an address that answers', async () => {
    const reply = await server.call('/llms.txt')
    expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const text = await reply.text()
    expect(text).toMatch(/^# Earshot\n\n> \S/)
    const links = [...text.matchAll(/^- \[.+?\]\((.+?)\): \S/gm)].map(([, href = '']) => href)
    expect(links.map((href) => href.replace(`${server.url}/docs/guides/`, '').replace('.md', '')).sort()).toEqual(paths)
    for (const href of links) expect((await fetch(href)).status, href).toBe(200)
    expect(text.match(/^## .+$/gm)?.length).toBeGreaterThan(0)
  })
})

describe('short addresses', () => {
  it('lead to the first guide', async () => {
    const { items } = await ask<{ items: GuideSummary[] }>('/api/v1/docs/guides')
    for (const address of ['/docs', '/docs/', '/docs/guides', '/docs/guides/']) {
      const reply = await fetch(server.url + address, { redirect: 'manual' })
      expect([reply.status, reply.headers.get('location')]).toEqual([302, `/docs/guides/${items[0]?.path}`])
    }
  })

  it('of moved guides lead to guides that exist, from addresses that are no guide’s', () => {
    expect(paths).toEqual(expect.arrayContaining(Object.values(movedGuides)))
    expect(paths.filter((path) => Object.hasOwn(movedGuides, path))).toEqual([])
  })

  it('show the list of settings that guides refer to', async () => {
    const text = await (await server.call('/docs/env-example')).text()
    expect(text).toContain('APP_URL=')
  })
})

describe('GET /api/v1/docs/search', () => {
  it.each([
    ['slack', 'slack'],
    ['webhook', 'webhooks'],
    ['verify webhook signature', 'webhooks'],
    ['weebhook', 'webhooks'],
    ['supabse', 'bring-your-own-supabase'],
    ['how do I erase a visitor?', 'retention-and-erasure'],
    ['identfy', 'identify-visitors'],
    ['systemd', 'systemd'],
    ['helm', 'kubernetes'],
    ['compose', 'docker'],
    ['MCP', 'connect-agents'],
    ['audit', 'audit-log'],
  ])('%s finds %s among the first three', async (query, path) => {
    const found = await search(query)
    expect(found.slice(0, 3).map((each) => each.path)).toContain(path)
  })

  it('leads to the heading of what was found, with the text around it', async () => {
    const [found] = await search('KillMode')
    const guide = await ask<Guide>(`/api/v1/docs/guides/${found?.path}`)
    expect(guide.headings.map(({ id }) => id)).toContain(found?.id)
    expect(found?.excerpt.toLowerCase()).toContain('killmode')
    for (const { excerpt } of await search('feedback')) expect(excerpt.length).toBeLessThanOrEqual(155)
  })

  it('lists each guide three times at most, and ten passages', async () => {
    const found = await search('feedback')
    expect(found).toHaveLength(10)
    for (const each of Object.values(Object.groupBy(found, ({ path }) => path))) {
      expect(each?.length).toBeLessThanOrEqual(3)
    }
  })

  it.each(['', '   ', '!!!', 'the', '\u{1F600}', 'qqqqzzzzxxxx', '"); drop table guides; --', '<script>'])(
    'answers %j without an error',
    async (query) => {
      expect(Array.isArray(await search(query))).toBe(true)
    },
  )

  it.each([201, 10_000])('refuses a question of %d characters, and says so', async (length) => {
    const reply = await server.call(`/api/v1/docs/search?q=${'a'.repeat(length)}`)
    expect(reply.status).toBe(400)
    const problem = (await reply.json()) as Problem
    expect(problem.code).toBe('validation_failed')
    expect(problem.fields?.map(({ path }) => path)).toEqual(['query.q'])
  })

  it('answers the worst questions quickly (printed, since machines differ)', async () => {
    const worst = [
      'webhook',
      'ab '.repeat(66),
      'se re co in un de fo an pr ex',
      'x'.repeat(200),
      'feedbock projekt witget',
    ]
    const times: number[] = []
    for (const query of worst) {
      const start = performance.now()
      await search(query)
      times.push(performance.now() - start)
    }
    console.info(`Search of the documentation: ${times.map((time) => `${time.toFixed(1)} ms`).join(', ')}`)
  })
})
