import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { imageDimensionsFromData } from 'image-dimensions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sitePages } from '#contract/site-pages.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { drawPicture } from './draw-picture.ts'
import { readLegalText } from './legal-texts.ts'
import { writeSitemap } from './sitemap.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

describe('GET /sitemap.xml', () => {
  it('lists every public page by its whole address', async () => {
    const reply = await fetch(`${server.url}/sitemap.xml`)
    expect(reply.headers.get('content-type')).toContain('application/xml')
    const listed = [...(await reply.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(
      ([, url]) => new URL(url ?? '').pathname,
    )
    expect(listed).toEqual(expect.arrayContaining(Object.values(sitePages).map(({ path }) => path)))
    expect(new Set(listed).size).toBe(listed.length)
  })

  it('escapes what stands in an address', () => {
    const words = { title: 'x', description: 'x' }
    expect(writeSitemap('https://a.example', [{ path: '/blog/a&b<c>', ...words }])).toContain(
      '<loc>https://a.example/blog/a&amp;b&lt;c&gt;</loc>',
    )
  })
})

describe('GET /robots.txt', () => {
  it('asks crawlers to leave out the dashboard and the API, and names the sitemap', async () => {
    const reply = await fetch(`${server.url}/robots.txt`)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    const text = await reply.text()
    expect(text).toContain('Disallow: /dashboard')
    expect(text).toMatch(/^Sitemap: https?:\/\/.+\/sitemap\.xml$/m)
  })
})

describe('GET /pictures/{page}.png', () => {
  it('is a picture of 1200 × 630 with the words of the page', async () => {
    const [home, pricing] = await Promise.all(
      ['home', 'pricing'].map(async (name) => {
        const reply = await fetch(`${server.url}/pictures/${name}.png`)
        expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/png'])
        return new Uint8Array(await reply.arrayBuffer())
      }),
    )
    expect(imageDimensionsFromData(home ?? new Uint8Array())).toMatchObject({ width: 1200, height: 630 })
    expect(home).not.toEqual(pricing)
  })

  it.each(['nowhere.png', 'pricing', '%2e%2e%2fpricing.png', 'pricing.png.png', `${'x'.repeat(500)}.png`])(
    'answers 404 to %s',
    async (name) => {
      expect((await fetch(`${server.url}/pictures/${name}`)).status).toBe(404)
    },
  )

  it('keeps words that are too long within the picture, and markup in them is text', async () => {
    const description = 'A very long description of a page that has far more to say than fits into a picture. '.repeat(
      20,
    )
    const title = `<script>alert(1)</script> & ${'x'.repeat(400)}`
    expect(imageDimensionsFromData(await drawPicture({ title, description }))).toMatchObject({
      width: 1200,
      height: 630,
    })
  })
})

describe('a legal text', () => {
  const config = (legalFiles: { privacy: string | null; terms: string | null }) => ({
    appUrl: 'https://app.example',
    site: { operator: { name: 'Ada & Söhne <b>', address: 'Street 1\n1010 Vienna' }, legalFiles },
  })

  it('is a template with the operator’s name and address, and says so', async () => {
    const { html, title, isTemplate } = await readLegalText(config({ privacy: null, terms: null }), 'privacy')
    expect([title, isTemplate]).toEqual(['Privacy policy', true])
    expect(html).toContain('Ada &amp; Söhne &lt;b&gt; runs this instance of Earshot')
    expect(html).toContain('Street 1<br>\n1010 Vienna')
    expect(html).not.toContain('{{')
  })

  it('is the operator’s own file where there is one, read again when it changes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'earshot-legal-'))
    try {
      const terms = join(folder, 'terms.md')
      for (const text of ['First', 'Second']) {
        await writeFile(terms, `# Our terms\n\n${text} <script>alert(1)</script>`)
        const { html, title, isTemplate } = await readLegalText(config({ privacy: null, terms }), 'terms')
        expect([title, isTemplate]).toEqual(['Our terms', false])
        expect(html).toContain(`${text} &lt;script&gt;`)
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
