import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './render-markdown.ts'

/** Every tag of some HTML, and that nothing else in it begins one. */
function listTags(html: string): string[] {
  return [...html.matchAll(/<[^>]*>?/g)].map(([tag]) => tag)
}
const plainTag =
  /^<\/?(?:p|h[2-6]|ul|ol|li|em|strong|s|code|pre|blockquote|hr|br|a|img|div|section|table|thead|tbody|tr|th|td)\b/
const attribute = /\s([\w-]+)(?:="([^"]*)")?/g
const allowed = new Set([
  ...['href', 'title', 'rel', 'src', 'alt', 'loading', 'id', 'tabindex', 'start', 'style'],
  ...['data-code', 'data-table', 'data-tabs', 'data-tab', 'data-tab-name'],
])

/* Published vectors (OWASP cheat sheet, CommonMark and markdown-it advisories), as a hostile author would write them. */
const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<style>@import "//evil.example"</style>',
  '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\nscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74:alert(1))',
  '[x](%6A%61vascript:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](javascript&#x3a;alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](vbscript:msgbox(1))',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[x](data:image/svg+xml,<svg onload=alert(1)>)',
  '[x](//evil.example)',
  '[x](/\\evil.example)',
  '[x](\\\\evil.example)',
  '[x](file:///etc/passwd)',
  '[x](blob:https://evil.example/1)',
  '<javascript:alert(1)>',
  '<javascript&colon;alert(1)>',
  '![x](javascript:alert(1))',
  '![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)',
  '![x](https://evil.example/pixel.png)',
  '![x" onerror="alert(1)](/a.png)',
  '[x](/a "onmouseover=alert(1) x=\\"")',
  "[x](/a '\"><script>alert(1)</script>')",
  '[a]: javascript:alert(1)\n\n[a]',
  '```"><script>alert(1)</script>\ncode\n```',
  '``` x" onclick="alert(1)\ncode\n```',
  '`<script>alert(1)</script>`',
  '# <script>alert(1)</script>\n\n## <img src=x onerror=alert(1)>',
  '| <script>alert(1)</script> |\n|---|\n| <img src=x onerror=alert(1)> |',
  ':::tabs\n::tab "><script>alert(1)</script>\n<script>alert(1)</script>\n:::',
  ':::tabs\n::tab a\n:::tabs\n::tab b\n',
  '[a](<javascript:alert(1)>)',
  '![](x)\n=\n[x]:/\n"onerror=alert(1)',
  '\0<script>alert(1)</script>',
]

describe('renderMarkdown', () => {
  it.each(hostile)('runs nothing, and leads nowhere that runs something: %j', (source) => {
    const { html } = renderMarkdown(source)
    for (const tag of listTags(html)) {
      expect(tag).toMatch(plainTag)
      for (const [, name = '', value = ''] of tag.matchAll(attribute)) {
        expect(allowed, `${name} of ${tag}`).toContain(name)
        if (name === 'href') expect(value).toMatch(/^(?:https?:\/\/|mailto:|#|\/(?![/\\])|[\w-]|\.{1,2}\/)/)
        if (name === 'href')
          expect(decodeURIComponent(value)).not.toMatch(/^\W*(?:javascript|vbscript|data|file|blob)/i)
        if (name === 'src') expect(value).toMatch(/^\/[^/\\]/)
        if (name === 'style') expect(value).toMatch(/^text-align:(?:left|center|right)$/)
      }
    }
  })

  it('ends on text that is made to take long', () => {
    const long = ['['.repeat(20_000), '*a '.repeat(20_000), '> '.repeat(5_000), '`'.repeat(20_000), '|a'.repeat(10_000)]
    for (const source of long) expect(renderMarkdown(source).html).not.toBe('')
  })

  it('takes the title out and names the other headings, each once', () => {
    const { title, headings, html } = renderMarkdown(
      '# Slack & co\n\n## Set up\n\nOne `two`.\n\n## Set up\n\n### Größe: 5 MB',
    )
    expect(title).toBe('Slack & co')
    expect(headings).toEqual([
      { id: 'set-up', text: 'Set up', level: 2 },
      { id: 'set-up-2', text: 'Set up', level: 2 },
      { id: 'größe-5-mb', text: 'Größe: 5 MB', level: 3 },
    ])
    expect(html).toContain('<h2 id="set-up">Set up</h2>')
    expect(html).not.toContain('Slack')
  })

  it('gives the words under each heading, for a search', () => {
    const { passages } = renderMarkdown('# A\n\nBefore\nit.\n\n## Set up\n\nOne `two`.\n\n```bash\nnpm start\n```\n')
    expect(passages).toEqual([
      { id: '', heading: '', text: 'Before it.' },
      { id: 'set-up', heading: 'Set up', text: 'One two. npm start' },
    ])
  })

  it('writes tabs, with code in them that looks like tabs', () => {
    const source =
      ':::tabs\n::tab HTML\nFor *all*.\n\n```html\n:::\n::tab Not one\n```\n::tab React\nWith `npm`.\n:::\n\nAfter.'
    const { html } = renderMarkdown(source)
    expect(html).toBe(
      '<div data-tabs>\n<section data-tab="HTML"><p data-tab-name>HTML</p>\n<p>For <em>all</em>.</p>\n' +
        '<div data-code="html"><pre tabindex="0"><code>:::\n::tab Not one\n</code></pre></div>\n</section>\n' +
        '<section data-tab="React"><p data-tab-name>React</p>\n<p>With <code>npm</code>.</p>\n</section>\n</div>\n<p>After.</p>\n',
    )
  })

  it('resolves links, and keeps those to other sites from being recommended', () => {
    const resolveLink = (href: string) => href.replace(/^([\w-]+)\.md/, '/docs/guides/$1')
    const { html } = renderMarkdown('[a](slack.md#set-up) [b](https://slack.com/x) [c](#here)', { resolveLink })
    expect(html).toContain('<a href="/docs/guides/slack#set-up">a</a>')
    expect(html).toContain('<a href="https://slack.com/x" rel="noopener nofollow">b</a>')
    expect(html).toContain('<a href="#here">c</a>')
  })
})
