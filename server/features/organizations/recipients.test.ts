import { describe, expect, it } from 'vitest'
import { readRecipients, splitRecipients } from '#contract/recipients.ts'

const isAddress = (text: string) => /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text)
const readEmails = (text: string) => [
  ...readRecipients(
    splitRecipients(text).map((entry) => entry.text),
    isAddress,
  ).emails.values(),
]

describe('a pasted list', () => {
  it.each([
    ['lines', 'ada@x.org\r\ngrace@x.org\n\n'],
    ['commas', 'ada@x.org, grace@x.org,'],
    ['semicolons', 'ada@x.org;grace@x.org; '],
    ['tabs of a spreadsheet', 'ada@x.org\tgrace@x.org'],
    ['spaces', 'ada@x.org grace@x.org'],
    ['names', 'Ada <ada@x.org>\nGrace Hopper <grace@x.org>'],
    ['names with quotes and commas', '"Lovelace, Ada" <ada@x.org>, "Hopper; Grace" <grace@x.org>'],
    ['names with commas, without quotes', 'Lovelace, Ada <ada@x.org>; Hopper, Grace <grace@x.org>'],
    ['bullets and numbers', '- ada@x.org\n2. grace@x.org'],
    ['links and capitals', '<mailto:ADA@x.org>\nGrace@X.ORG.invalid <grace@x.org>'],
    ['spaces of other kinds', '\u00a0ada@x.org\u200b\n\ufeffgrace@x.org'],
  ])('with %s gives the addresses', (_what, text) => {
    expect(readEmails(text)).toEqual(['ada@x.org', 'grace@x.org'])
  })

  it('says where each entry stands, and what is wrong with it', () => {
    const entries = splitRecipients('ada@x.org\n\nno-one, ADA@x.org\n"odd quote ada2@x.org\nαda@x.org')
    expect(entries).toEqual([
      { line: 1, text: 'ada@x.org' },
      { line: 3, text: 'no-one' },
      { line: 3, text: 'ADA@x.org' },
      { line: 4, text: '"odd quote ada2@x.org' },
      { line: 5, text: 'αda@x.org' },
    ])
    const { emails, problems } = readRecipients(
      entries.map((entry) => entry.text),
      isAddress,
    )
    expect([...emails]).toEqual([[0, 'ada@x.org']])
    expect(problems).toEqual([
      { index: 1, message: 'is not an email address' },
      { index: 2, message: 'is in this list more than once' },
      { index: 3, message: 'is not an email address' },
      { index: 4, message: 'contains the Greek letter “α” (U+03B1); addresses have Latin letters only' },
    ])
  })

  it('takes no time to read, however odd', () => {
    for (const odd of ['<', '"', '"<', ', ', 'a@', '@ ']) {
      expect(splitRecipients(odd.repeat(100_000)).length).toBeGreaterThanOrEqual(0)
    }
  })
})
