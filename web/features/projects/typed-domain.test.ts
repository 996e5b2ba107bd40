import { describe, expect, it } from 'vitest'
import { findDomainProblem, reduceToHost } from './typed-domain.ts'

describe('reduceToHost', () => {
  it.each([
    ['example.com', 'example.com'],
    ['  Example.COM ', 'example.com'],
    ['https://www.example.com/', 'www.example.com'],
    ['http://example.com:8080/shop?a=1#top', 'example.com'],
    ['//cdn.example.com/x', 'cdn.example.com'],
    ['https://ada:secret@example.com/path@2x.png', 'example.com'],
    ['example.com/', 'example.com'],
    ['example.com.', 'example.com'],
    ['müller.de/über', 'müller.de'],
    ['localhost:3000', 'localhost'],
    ['example.com?utm=1', 'example.com'],
    ['', ''],
  ])('reduces %j', (typed, host) => expect(reduceToHost(typed)).toBe(host))
})

describe('findDomainProblem', () => {
  it.each(['example.com', 'https://example.com/a', 'localhost', '192.168.1.4', 'xn--mller-kva.de'])(
    'finds nothing wrong with %j',
    (typed) => expect(findDomainProblem(typed)).toBeUndefined(),
  )

  it.each(['12345', '1.2', '8080/'])('says that %j is a number and suggests no domain of it', (typed) =>
    expect(findDomainProblem(typed)).toBe('This is a number, not a domain. Example: example.com'),
  )

  it.each(['', '   ', 'https://', 'example', 'my site.com', 'a..b', '.com'])('says what is wrong with %j', (typed) =>
    expect(findDomainProblem(typed)).toMatch(/\w/),
  )
})
