import { describe, expect, it } from 'vitest'
import { escapeMarkdown, quoteMarkdown, writeCode, writeCodeBlock } from '#contract/escape-markdown.ts'
import { checkDocument, readText } from '#doubles/check-atlassian-document.ts'
import { readDocument, writeDocument } from './atlassian-document.ts'

const hostile = [
  'ends with a backslash \\',
  '**not bold** [no link](https://evil.example) ![no picture](https://evil.example/a.png)',
  '```\ncode?\n```',
  '# heading\n- list\n> quote\n1. one\n\n\n\nend',
  '`tick` ``two`` \\`escaped\\`',
  '@everyone <script> &amp; {panel} || h1. | \u202e reversed',
  '   indented\n\ttab',
  '🐞'.repeat(40),
]

describe('writeDocument', () => {
  it.each(hostile)('shows the text of a stranger as it is: %j', (text) => {
    const document = writeDocument(
      [quoteMarkdown(text), '', `Title: ${escapeMarkdown(text.split('\n')[0] ?? '')}`].join('\n'),
    )
    expect(checkDocument(document)).toBeUndefined()
    expect(JSON.stringify(document)).not.toMatch(/"href"|"strong"|"code"/)
    const shown = readText(document)
      .replaceAll(/[\u2060\u00a0]/g, ' ')
      .replaceAll(/\s+/g, '')
    expect(shown).toContain(text.replaceAll(/[\u202e\s]/g, ''))
  })

  it('writes what issues of Earshot contain', () => {
    const markdown = [
      '> first  ',
      '>',
      '> second  ',
      '',
      `- **Page:** ${writeCode('https://example.com/`x`')}`,
      '- **Type:** Bug',
      '',
      '![shot\\.png](https://app.example/f/1)',
      '',
      '### Console errors',
      '',
      writeCodeBlock(['**boom**', '``` fence']),
      '',
      '[Bug 1 in Earshot](https://app.example/dashboard?item=1&link=2)',
    ].join('\n')
    const document = writeDocument(markdown)
    expect(checkDocument(document)).toBeUndefined()
    expect(document.content.map(({ type }) => type)).toEqual([
      'blockquote',
      'bulletList',
      'paragraph',
      'heading',
      'codeBlock',
      'paragraph',
    ])
    expect(readDocument(document as never)).toBe(
      [
        '> first\n> \n> second',
        '- Page: https://example.com/`x`\n- Type: Bug',
        '[shot.png](https://app.example/f/1)',
        'Console errors',
        '**boom**\n``` fence',
        '[Bug 1 in Earshot](https://app.example/dashboard?item=1&link=2)',
      ].join('\n\n'),
    )
  })

  it('cuts a long text to what Jira takes, and keeps the link back', () => {
    const document = writeDocument(
      [
        quoteMarkdown(`${'a'.repeat(29_000)}\n${'🐞'.repeat(5_000)}`),
        '',
        'lost',
        '',
        '[back](https://app.example)',
      ].join('\n'),
    )
    expect(checkDocument(document)).toBeUndefined()
    expect(readText(document)).toMatch(/aaa\n(?:🐞)+�?…\nback$/u)
  })
})

describe('readDocument', () => {
  it('reads comments as people write them', () => {
    const text = (value: string, marks?: object[]) => ({ type: 'text', text: value, ...(marks && { marks }) })
    const paragraph = (...content: object[]) => ({ type: 'paragraph', content })
    const document = {
      type: 'doc',
      content: [
        paragraph({ type: 'mention', attrs: { id: '1', text: '@Mia' } }, text(' see '), {
          type: 'inlineCard',
          attrs: { url: 'https://a.example' },
        }),
        { type: 'orderedList', content: [{ type: 'listItem', content: [paragraph(text('one'))] }] },
        { type: 'mediaSingle', content: [{ type: 'media', attrs: { type: 'file', id: 'x', alt: 'shot.png' } }] },
        {
          type: 'panel',
          content: [paragraph(text('until '), { type: 'date', attrs: { timestamp: '1796256000000' } })],
        },
        { type: 'blockquote', content: [paragraph(text('said'), { type: 'hardBreak' }, text('twice'))] },
        paragraph(),
        {
          type: 'table',
          content: [
            {
              type: 'tableRow',
              content: [
                { type: 'tableCell', content: [paragraph(text('a'))] },
                { type: 'tableCell', content: [paragraph(text('b'))] },
              ],
            },
          ],
        },
        paragraph(text('bold', [{ type: 'strong' }]), { type: 'emoji', attrs: { shortName: ':bug:' } }),
        { type: 'constructor', content: [paragraph(text('unknown'))] },
      ],
    }
    expect(readDocument(document as never)).toBe(
      [
        '@Mia see https://a.example',
        '- one',
        '[shot.png]',
        'until 2026-12-03',
        '> said\n> twice',
        'a | b',
        'bold:bug:',
        'unknown',
      ].join('\n\n'),
    )
  })
})
