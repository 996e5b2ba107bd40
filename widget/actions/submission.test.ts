import { describe, expect, it } from 'vitest'
import { countCharacters, looksLikeEmail } from '../panel/fields.ts'
import { redactUrl } from './submission.ts'

describe('redactUrl', () => {
  it.each([
    ['https://a.test/p?q=shoes&page=2#top', 'https://a.test/p?q=shoes&page=2#top'],
    ['https://ada:x@a.test/p?next=http://b:y@b.test/', 'https://a.test/p?next=http://b.test/'],
    ['https://a.test/p?access_token=abc&q=1', 'https://a.test/p?access_token=redacted&q=1'],
    ['https://a.test/#id_token=abc&state=1', 'https://a.test/#id_token=redacted&state=1'],
    ['https://a.test/?q=1&PassWord=x%26y#/inbox', 'https://a.test/?q=1&PassWord=redacted#/inbox'],
  ])('%s', (url, expected) => expect(redactUrl(url)).toBe(expected))
})

describe('looksLikeEmail', () => {
  it.each(['ada@example.com', 'a.b+c@sub.example.co.uk', 'ü@bücher.example'])('takes %s', (email) =>
    expect(looksLikeEmail(email)).toBe(true),
  )
  it.each([
    'ada',
    'ada@example',
    '@example.com',
    'a b@example.com',
    'a@@b.test',
    'a@b..test',
    `${'a'.repeat(250)}@b.test`,
  ])('refuses %s', (email) => expect(looksLikeEmail(email)).toBe(false))
})

describe('countCharacters', () => {
  it('counts an emoji once', () => expect(countCharacters('a🎉b')).toBe(3))
})
