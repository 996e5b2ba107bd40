import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { samples } from './samples/samples.ts'

/*
 * Every email as it was before its words became templates, and as it is now: a change of default words shows in the
 * snapshot, and nothing else may change it. Of the HTML, which repeats the text, the snapshot has the checksum.
 */
describe.each(Object.entries(samples))('default words of %s', (_id, cases) => {
  it.each(cases)('are those of the snapshot: $label', ({ render }) => {
    const { kind, subject, text, html } = render('https://app.example.com')
    const htmlSha256 = createHash('sha256').update(html).digest('hex')
    expect({ kind, subject, text, htmlSha256 }).toMatchSnapshot()
  })
})
