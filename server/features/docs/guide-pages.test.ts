import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GuideSummary } from '#contract/docs.ts'
import { askAsWritten, pathTricks } from '#server/testing/ask-as-written.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { movedGuides } from './moved-guides.ts'

/* The guides' pages, as a reader or a search engine gets them, and where their links lead. */
let server: TestServer
let guides: readonly GuideSummary[]
const pages = new Map<string, string>()

beforeAll(async () => {
  server = await startTestServer({ TRUST_PROXY: '127.0.0.1/32' }, undefined, { withPages: true })
  const reply = await server.call('/api/v1/docs/guides')
  guides = ((await reply.json()) as { items: GuideSummary[] }).items
  for (const { path } of guides) {
    const page = await fetch(`${server.url}/docs/guides/${path}`)
    expect(page.status, path).toBe(200)
    pages.set(`/docs/guides/${path}`, await page.text())
  }
})
afterAll(() => server.stop())

/** Its part without the site's header and footer. */
function readGuidePart(html: string): string {
  return html.slice(html.indexOf('data-guide'), html.indexOf('</main>'))
}

const decode = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#x27;', "'").replaceAll('&quot;', '"')
const listValues = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => decode(value))

describe('GET /docs/guides/{path}', () => {
  it('answers every guide as a whole page, with what search engines read', () => {
    for (const { path, title, description } of guides) {
      const html = pages.get(`/docs/guides/${path}`) ?? ''
      const address = `${server.url}/docs/guides/${path}`
      expect(html).toContain(`<link rel="canonical" href="${address}"/>`)
      expect(html.match(/<h1[ >]/g)).toHaveLength(1)
      const [, json = ''] = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html) ?? []
      expect(JSON.parse(json)['@graph']).toMatchObject([
        { '@type': 'TechArticle', headline: title, description, url: address },
        { '@type': 'BreadcrumbList', itemListElement: [{ position: 1 }, { position: 2 }, { item: address }] },
      ])
      // Without scripts, too, each guide leads to all others.
      for (const other of guides) expect(html).toContain(`href="/docs/guides/${other.path}"`)
    }
  })

  it('has no link that leads nowhere, and no anchor that is not there', async () => {
    const failures: string[] = []
    const answered = new Map<string, number>()
    for (const [page, html] of pages) {
      for (const href of listValues(readGuidePart(html), 'href')) {
        if (/^(?:https?:|mailto:)/.test(href) && !href.startsWith(`${server.url}/`)) continue
        const { pathname, hash } = new URL(href, server.url + page)
        const known = pages.get(pathname)
        if (known === undefined && !answered.has(pathname)) {
          answered.set(pathname, (await fetch(server.url + pathname)).status)
        }
        if (known === undefined && answered.get(pathname) !== 200) failures.push(`${page}: ${href}`)
        const anchor = decodeURIComponent(hash.slice(1))
        if (hash !== '' && !listValues(known ?? '', 'id').includes(anchor)) failures.push(`${page}: ${href}`)
      }
    }
    expect(failures).toEqual([])
  })

  it('has each id once', () => {
    for (const [page, html] of pages) {
      const ids = listValues(html, 'id')
      expect(new Set(ids).size, page).toBe(ids.length)
    }
  })

  it('leads from other spellings and moved guides to the one address', async () => {
    const [first] = guides
    const address = `/docs/guides/${first?.path}`
    const moves = [
      [`${address}/`, address],
      [address.toUpperCase(), address],
      [`/docs/guides/${first?.path.toUpperCase()}`, address],
      ...Object.entries(movedGuides).map(([from, to]) => [`/docs/guides/${from}`, `/docs/guides/${to}`]),
    ]
    for (const [from = '', to] of moves) {
      const { status, location } = await askAsWritten(server.url, from, { 'x-forwarded-for': '203.0.113.1' })
      expect([status, location], from).toEqual([301, to])
    }
  })

  it.each(pathTricks)('finds nothing at %s', async (_name, path) => {
    const headers = { 'x-forwarded-for': '203.0.113.2' }
    const { status, text } = await askAsWritten(server.url, `/docs/guides/${path}`, headers)
    expect([400, 404, 414]).toContain(status)
    expect(text).not.toContain('data-guide')
    expect(text).not.toMatch(/"private": true|root:/)
  })

  it('answers 404 with the screen for unknown pages, and without the app', async () => {
    const { status, text } = await askAsWritten(server.url, '/docs/guides/nothing')
    expect(status).toBe(404)
    expect(text).toContain('Page not found')
    expect(text).toContain('data-reload')
    expect(text.match(/<script[^>]* src="[^"]+"/g)).toEqual([expect.stringContaining('/assets/site-script-')])
  })
})
