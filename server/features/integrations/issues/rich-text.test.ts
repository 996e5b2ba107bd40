import { describe, expect, it } from 'vitest'
import { fitBody } from './fit-body.ts'
import { markComment, readCopied } from './markers.ts'
import { readHtml, toHtml } from './rich-text.ts'

const style = { lineBreak: '<br />', heading: 'h3', paragraph: 'p' }

const body = [
  '> It empties \\<b\\>itself\\</b\\>.  \n>\n> [a]\\(javascript\\:alert\\)',
  '- **Page:** `` https://e.example/`x`?a=1&b=<i> ``\n- **Type:** Bug',
  '![screen](https://e.example/f?a=1&b=2)',
  '### Console errors',
  '````text\nTypeError: <x>\n\n```\n````',
  '[Bug 1 in Earshot](https://e.example/?item=1&link=2)',
].join('\n\n')

describe('bodies of issues', () => {
  it('become HTML in which visitors’ texts stay text', () => {
    expect(toHtml(body, style)).toBe(
      '<blockquote>It empties &lt;b&gt;itself&lt;/b&gt;.<br /><br />[a](javascript:alert)</blockquote>' +
        '<ul><li><strong>Page:</strong> <code>https://e.example/`x`?a=1&amp;b=&lt;i&gt;</code></li>' +
        '<li><strong>Type:</strong> Bug</li></ul>' +
        '<p><a href="https://e.example/f?a=1&amp;b=2">screen</a></p><h3>Console errors</h3>' +
        '<pre>TypeError: &lt;x&gt;\n\n```</pre>' +
        '<p><a href="https://e.example/?item=1&amp;link=2">Bug 1 in Earshot</a></p>',
    )
  })

  it('are shortened to a limit at their longest part, and keep the link back and the fences of code', () => {
    const quote = `> ${'\\[😀\\]'.repeat(50)}`
    const code = `\`\`\`text\n${'line\n'.repeat(200)}\`\`\``
    const text = [quote, code, '[Earshot](https://e.example/)'].join('\n\n')
    for (let limit = 30; limit <= text.length; limit += 1) {
      const fitted = fitBody(text, limit)
      expect(fitted.length).toBeLessThanOrEqual(limit)
      expect(fitted).toMatch(/\[Earshot\]\(https:\/\/e\.example\/\)$/)
      expect(fitted.match(/```/g)?.length ?? 2).toBe(2)
      expect(fitted.isWellFormed()).toBe(true)
      expect(fitted).not.toMatch(/(?<!\\)\\…/)
    }
    expect(fitBody(text, text.length)).toBe(text)
  })

  it('have comments that are recognised when they are read back from HTML', () => {
    const id = crypto.randomUUID()
    const place = { appUrl: 'https://e.example', feedbackId: crypto.randomUUID() }
    const comment = markComment('link', place, { id, author: 'Ada', text: 'Only in <b>Firefox</b> & so.' })
    for (const html of [toHtml(comment, style), `<div>${toHtml(comment, { ...style, paragraph: 'div' })}</div>`]) {
      expect(readCopied(readHtml(html))).toBe(id)
      expect(readHtml(html)).toMatch(/^Ada: Only in <b>Firefox<\/b> & so\.\n+\[Earshot\]/)
    }
  })

  it('are read from what editors of trackers write', () => {
    expect(readHtml('<div>One&nbsp;<b>two</b></div><div><br></div><p>&lt;3 &#128512; &amp;lt;</p>')).toBe(
      'One two\n\n<3 😀 &lt;',
    )
    expect(readHtml('<a class="x" href="https://e.example/?a=1&amp;b">https://e.example/?a=1&amp;b</a>')).toBe(
      'https://e.example/?a=1&b',
    )
  })
})
