import { describe, expect, it } from 'vitest'
import { escapeMarkdown, writeCode, writeCodeBlock } from '#contract/escape-markdown.ts'
import type { FeedbackDetail } from '#contract/feedback.ts'
import { writeBugReport } from './write-bug-report.ts'

const createdAt = '2026-11-20T10:30:00.000Z'
const sentAt = Date.parse(createdAt)

const item: FeedbackDetail = {
  id: '01999999-0000-7000-8000-000000000001',
  projectId: '01999999-0000-7000-8000-000000000002',
  number: 12,
  type: 'bug',
  source: 'widget',
  status: 'closed',
  closedReason: 'not_reproducible',
  priority: 'high',
  excerpt: 'The basket is empty',
  message: 'The basket is empty\nafter a reload.',
  rating: null,
  nps: null,
  tags: [],
  attachmentKinds: ['screenshot'],
  visitorEmail: 'vera@example.org',
  visitorName: 'Vera',
  visitorId: null,
  visitorVerified: false,
  spamReason: null,
  snoozedUntil: null,
  location: 'inbox',
  assigneeId: null,
  mergedInto: null,
  pageUrl: 'https://shop.example/basket?step=2',
  pageTitle: 'Basket',
  createdAt,
  updatedAt: createdAt,
  firstViewedAt: null,
  unread: false,
  lastReplyBy: null,
  issues: [],
  locked: false,
  version: 1,
  fields: [],
  consent: null,
  context: {
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    system: { platform: 'Windows', platformVersion: '15.0.0' },
    language: 'de',
    languages: ['de', 'en'],
    viewport: { width: 1280, height: 720 },
    screen: { width: 1920, height: 1080, pixelRatio: 2 },
    clicked: 'button#reload',
    routes: [[sentAt - 65_000, '/basket']],
    console: [
      [sentAt - 2000, 'error', 'TypeError: items is undefined'],
      [sentAt - 1000, 'info', 'hello'],
    ],
    network: [
      [sentAt - 1500, 'GET', 'https://shop.example/api/items', 503, 88],
      [sentAt - 1400, 'GET', 'https://shop.example/api/prices', 200, 12],
    ],
  },
  metadata: {},
  firstResponseAt: null,
  resolvedAt: null,
  deletedAt: null,
  history: [],
  original: null,
  duplicates: [],
  comments: [],
  attachments: [],
}
const where = { projectName: 'Northwind', link: 'https://earshot.example/dashboard/feedback?item=1' }

describe('writeBugReport', () => {
  it('says what an issue tracker needs, and not who the visitor is', () => {
    expect(writeBugReport(item, where)).toBe(`## Bug 12: The basket is empty

> The basket is empty  
> after a reload.  

- **Type:** Bug
- **Status:** Closed: Not reproducible
- **Priority:** High
- **Project:** Northwind
- **Page:** <https://shop.example/basket?step=2>
- **Page title:** Basket
- **Received:** 2026-11-20 10:30 UTC
- **Attachments:** screenshot
- **Item:** <https://earshot.example/dashboard/feedback?item=1>

### Environment

- **Browser:** Firefox 145 on Linux
- **System:** Windows 11
- **Languages:** de, en
- **Window:** 1280 × 720
- **Screen:** 1920 × 1080 @\u20602x

### Steps

1. Opened \` /basket \` (1 min before sending)
2. Last clicked \` button#reload \`

### Console errors

\`\`\`text
−2.0 s  TypeError: items is undefined
\`\`\`

### Failed requests

\`\`\`text
−1.5 s  GET https://shop.example/api/items → 503 (88 ms)
\`\`\`
`)
  })

  it('leaves out what is not known', () => {
    const bare = { ...item, message: '', context: {}, pageTitle: null, attachmentKinds: [], priority: 'none' as const }
    expect(writeBugReport(bare, { ...where, projectName: undefined })).toBe(`## Bug 12

- **Type:** Bug
- **Status:** Closed: Not reproducible
- **Page:** <https://shop.example/basket?step=2>
- **Received:** 2026-11-20 10:30 UTC
- **Item:** <https://earshot.example/dashboard/feedback?item=1>
`)
  })

  it('keeps hostile text from leaving its place', () => {
    const hostile = {
      ...item,
      message:
        '# Owned\n\n> x\n![a](https://evil.example/a.png)\n<img src=x onerror=alert(1)>\n```\n[click](javascript:alert(1))',
      pageUrl: 'javascript:alert(`1`)',
      pageTitle: 'a\n# Second heading',
      context: {
        console: [[sentAt, 'error', 'x\n````\n# Out of the block\n[a](https://evil.example)']],
        routes: [[sentAt, '/`` ](https://evil.example) `\n# Heading']],
        userAgent: '\n# Agent <script>',
      },
    }
    const report = writeBugReport(hostile, { ...where, projectName: 'A\n# B' })
    const outside = withoutCode(report)
    expect(outside.match(/^ *#+ .*/gm)).toEqual([
      '## Bug 12: \\# Owned',
      '### Environment',
      '### Steps',
      '### Console errors',
    ])
    expect(outside).not.toMatch(/(?<!\\)(!\[|\]\(|<(?!https:\/\/earshot\.example\/))/)
    expect(outside).not.toContain('https://evil.example')
    expect(report).toContain('- **Page:** `` javascript:alert(`1`) ``')
  })
})

describe('escapeMarkdown', () => {
  it.each([
    ['a heading', '# a', '\\# a'],
    ['an underlined heading', 'a\n===\nb\n---', 'a\n\\===\nb\n\\---'],
    ['a list', '- a\n+ b\n1. c\n2) d', '\\- a\n\\+ b\n1\\. c\n2\\) d'],
    ['code by its indent', '    a', '\u00a0\u00a0\u00a0\u00a0a'],
    ['a link', '[a](b)', '\\[a\\]\\(b\\)'],
    ['an address that would be linked', 'https://a.test www.a.test', 'https\\://a.test www\\.a.test'],
    ['HTML and entities', '<b>&lt;', '\\<b\\>\\&lt;'],
    ['an escape before a character', '\\[', '\\\\\\['],
    ['a mention and a reference, not an email address', '@ops #12 a@b.test', '@\u2060ops #\u206012 a@b.test'],
    ['text that would be shown backwards', 'a\u202eb', 'ab'],
  ])('takes its meaning from %s', (_, text, expected) => {
    expect(escapeMarkdown(text)).toBe(expected)
  })
})

describe('writeCode and writeCodeBlock', () => {
  it('fence their text with more backticks than it has', () => {
    expect(writeCode('a `` b\nc')).toBe('``` a `` b c ```')
    expect(writeCodeBlock(['a', '````'])).toBe('`````text\na\n````\n`````')
  })
})

/** What of a report is read as Markdown: neither blocks of code nor code on a line. */
function withoutCode(report: string): string {
  return report.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '').replace(/(?<!\\)(`+) .*? \1(?!`)/g, '')
}
