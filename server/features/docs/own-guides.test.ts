import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Guide } from '#contract/docs.ts'
import { createDocs, type Docs } from './docs.service.ts'

/* What becomes of guides with and without front matter, read from a folder of the test's own. */
let root = ''
afterEach(() => rm(root, { recursive: true, force: true }))

async function open(files: Record<string, string>, appUrl = 'https://feedback.example'): Promise<Docs> {
  root = await mkdtemp(join(tmpdir(), 'earshot-guides-'))
  await mkdir(join(root, 'docs/guides'), { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, 'docs/guides', name), text)
  return createDocs({ root, appUrl, editUrl: null })
}

async function read(docs: Docs, path: string): Promise<Guide> {
  const guide = await docs.readGuide(path)
  if (!guide || 'movedTo' in guide) throw new Error(`No guide ${path}`)
  return guide
}

const withFields = (fields: Record<string, string>, text = 'Words.') =>
  `---\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')}---\n\n# A heading\n\n${text}\n`

describe('the guides of a folder', () => {
  it('are in the order of their sections, then of their numbers, then of their titles', async () => {
    const docs = await open({
      'a.md': withFields({ title: 'A', section: 'Help', order: '2' }),
      'b.md': withFields({ title: 'B', section: 'Help', order: '1' }),
      'c.md': withFields({ title: 'Zebra', section: 'Start' }),
      'd.md': withFields({ title: 'Apple', section: 'Start' }),
      'e.md': withFields({ title: 'First', section: 'Start', order: '10' }),
      'f.md': withFields({ title: 'Unknown', section: 'Other things' }),
      'Not a guide.txt': 'no',
    })
    expect((await docs.listGuides()).map(({ path }) => path)).toEqual(['e', 'd', 'c', 'b', 'a', 'f'])
  })

  it('have a title, a section and a description without front matter too', async () => {
    const docs = await open({
      'plain.md': `# Slack & co\n\nPosts feedback to a channel. ${'It continues. '.repeat(30)}`,
    })
    const guide = await read(docs, 'plain')
    expect(guide).toMatchObject({ title: 'Slack & co', section: 'Help', changed: null, editUrl: null })
    expect(guide.description).toMatch(/^Posts feedback to a channel\. (It continues\. )*It continues\.$/)
    expect(guide.description.length).toBeLessThanOrEqual(160)
  })

  it('say what their front matter says', async () => {
    const fields = { title: '"Slack: a guide"', description: 'Short.', section: 'Start', changed: '2026-01-31' }
    const docs = await open({ 'slack.md': withFields(fields).replaceAll('\n', '\r\n') })
    expect(await read(docs, 'slack')).toMatchObject({
      title: 'Slack: a guide',
      description: 'Short.',
      section: 'Start',
      changed: '2026-01-31',
    })
    expect(await docs.readMarkdown('slack')).toMatch(/^# A heading/)
  })

  it('contain the address of the instance, and a place for a project’s key in code alone', async () => {
    const text =
      'On {{host}}:\n\n```html\n<script src="https://{{host}}/e/{{key}}.js"></script>\n```\n\n`{{ $json.x }}` {{key}}'
    const docs = await open({ 'a.md': withFields({ title: '{{key}}' }, text) }, 'http://localhost:3000')
    const { html } = await read(docs, 'a')
    expect(html).toContain('On localhost:3000:')
    expect(html).toContain('src=&quot;http://localhost:3000/e/<span data-key>YOUR_KEY</span>.js&quot;')
    expect(html).toContain('{{ $json.x }}')
    expect(html.match(/data-key/g)).toHaveLength(1)
    expect(await docs.readMarkdown('a')).toContain('http://localhost:3000/e/YOUR_KEY.js')
  })

  it('link to each other’s pages, and their headings to themselves', async () => {
    const text = '[b](b.md#set-up) [c](./b.md) [d](https://x.example/b.md)\n\n## Set `up`\n\n## With [a link](b.md)'
    const docs = await open({ 'a.md': withFields({}, text), 'b.md': withFields({}) })
    const { html } = await read(docs, 'a')
    expect(html).toContain('<a href="/docs/guides/b#set-up">b</a> <a href="/docs/guides/b">c</a>')
    expect(html).toContain('href="https://x.example/b.md"')
    expect(html).toContain('<h2 id="set-up"><a href="#set-up">Set <code>up</code></a></h2>')
    expect(html).toContain('<h2 id="with-a-link">With <a href="/docs/guides/b">a link</a></h2>')
  })

  it('are read again after a failure, and once otherwise', async () => {
    const docs = await open({})
    await rm(join(root, 'docs'), { recursive: true })
    await expect(docs.listGuides()).rejects.toThrow('ENOENT')
    await mkdir(join(root, 'docs/guides'), { recursive: true })
    await writeFile(join(root, 'docs/guides/a.md'), '# A')
    expect(await docs.listGuides()).toHaveLength(1)
    await writeFile(join(root, 'docs/guides/b.md'), '# B')
    expect(await docs.listGuides()).toHaveLength(1)
  })
})
