import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom, makeCleanLine, makeToken, negatives, plainNames, positives, secretNames } from './corpus.ts'
import { scrub } from './scrub.ts'
import { scrubText } from './scrub-text.ts'
import { isSecretName } from './secret-names.ts'

/** Every way in which a text reaches the log. Non-JSON values are formatted as in the log. */
const carriers: Readonly<Record<string, (text: string) => unknown>> = {
  'plain text': (text) => `seen ${text} today`,
  'a text of its own': (text) => text,
  'a JSON value': (text) => JSON.stringify({ note: text }),
  'JSON within JSON': (text) => JSON.stringify({ body: JSON.stringify({ note: text }) }),
  'a nested field': (text) => ({ a: { b: [{ c: text }] } }),
  'the name of a field': (text) => ({ seen: { [text]: 1 } }),
  'a query': (text) => `GET /x?q=${encodeURIComponent(text)}&page=1`,
  'a form': (text) => `/x?${new URLSearchParams({ q: text })}`,
  'the message of an error': (text) => new Error(`failed for ${text}`),
  'the cause of an error': (text) => new Error('failed', { cause: new Error(text) }),
  'a stack': (text) => Object.assign(new Error('x'), { stack: `Error: ${text}\n    at f (file.ts:1:2)` }),
  'a header': (text) => ({ headers: { 'x-note': text } }),
  bytes: (text) => ({ body: Buffer.from(text) }),
  'a map': (text) => new Map([['note', new Map([[text, text]])]]),
  'a set': (text) => new Set([text]),
  'an array': (text) => [[text], text],
  'a template': (text) => `user=${text}; next`,
  'several lines': (text) => `first\n${text}\nlast`,
  'a token': (text) => `got ${makeToken({ note: text })}`,
}

function show(value: unknown): string {
  const scrubbed = scrub(value)
  return typeof scrubbed === 'string' ? scrubbed : JSON.stringify(scrubbed)
}

/** The part of a sample that must be redacted; the scheme before a token may stay. */
function telling(sample: string): string {
  return sample.replace(/^bearer /i, '')
}

function leaks(output: string, sample: string): boolean {
  const rest = telling(sample)
  // Very short samples (`Bearer x`, `::1`) would match by chance, so they are compared whole.
  const needle = rest.length < 4 ? sample : rest
  return [needle, encodeURIComponent(needle), JSON.stringify(needle).slice(1, -1)].some((form) => output.includes(form))
}

describe.each(Object.entries(positives))('scrubbing: %s', (_kind, samples) => {
  it('has at least thirty samples', () => {
    expect(new Set(samples).size).toBeGreaterThanOrEqual(30)
  })

  it.each(Object.entries(carriers))('finds every one in %s', (_name, carry) => {
    const missed = samples.filter((sample) => leaks(show(carry(sample)), sample))
    expect(missed).toEqual([])
  })
})

describe.each(Object.entries(negatives))('keeping harmless lookalikes: %s', (_kind, samples) => {
  it('keeps every sample', () => {
    expect(samples.length).toBeGreaterThanOrEqual(30)
    const changed = samples.flatMap((sample) =>
      [`seen ${sample} today`, `first\n${sample}`].filter((text) => scrubText(text) !== text),
    )
    expect(changed).toEqual([])
  })
})

describe('field names', () => {
  it('are secret when one of their words is', () => {
    expect(secretNames.filter((name) => !isSecretName(name))).toEqual([])
    expect(plainNames.filter((name) => isSecretName(name))).toEqual([])
    expect(Math.min(secretNames.length, plainNames.length)).toBeGreaterThanOrEqual(30)
  })

  it.each(secretNames)('%s redacts its value at any depth and inside texts', (name) => {
    const value = 'hunter-two'
    for (const carried of [
      { a: [{ [name]: value }] },
      { [name]: { inner: value } },
      { [name]: [value] },
      new Map([[name, value]]),
      JSON.stringify({ [name]: value }),
      JSON.stringify({ body: JSON.stringify({ [name]: value }) }),
      `/x?${name}=${value}&b=1`,
      `${name}: "${value}"`,
      Object.assign(new Error('x'), { [name]: value }),
    ]) {
      expect(show(carried)).not.toContain(value)
    }
  })

  it.each(plainNames)('%s keeps its value', (name) => {
    expect(scrub({ a: { [name]: 'plain' } })).toEqual({ a: { [name]: 'plain' } })
    expect(scrubText(`{"${name}":"plain"} ?${name}=plain`)).toBe(`{"${name}":"plain"} ?${name}=plain`)
  })

  it.each([
    ['postgres://app:hunter2@localhost:5432/x', 'postgres://[redacted]@localhost:5432/x'],
    ['Cookie: sid=abc; theme=dark', 'Cookie: [redacted]'],
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [token]'],
    ['/auth/v1/verify?token=pkce_abc&type=signup', '/auth/v1/verify?token=[redacted]&type=signup'],
    ['password: swordfish', 'password: [redacted]'],
    ['password = "two words", next', 'password = "[redacted]", next'],
    ['invalid token: eof', 'invalid token: eof'],
    ['the password is wrong', 'the password is wrong'],
  ])('are seen in %s', (text, shown) => {
    expect(scrubText(text)).toBe(shown)
  })

  it('keep booleans and null', () => {
    expect(scrub({ password: null, token: false, key: undefined })).toEqual({ password: null, token: false })
  })
})

describe('ordinary log lines', () => {
  it('stay unchanged in at least 99 of 100 cases', () => {
    const random = createRandom(7)
    const lines = Array.from({ length: 5_000 }, () => makeCleanLine(random))
    const changed = lines.filter((line) => scrubText(line) !== line)
    expect(changed.length / lines.length).toBeLessThanOrEqual(0.01)
  })
})

const samples = [...Object.values(positives), ...Object.values(negatives)].flat()
const piece = fc.oneof(
  fc.constantFrom(...samples),
  fc.constantFrom(
    ...secretNames,
    '=',
    ':',
    '":"',
    '\\"',
    '"',
    ' ',
    '\n',
    '@',
    '%40',
    '.',
    '-',
    '[',
    ']',
    '://',
    '[email]',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
const anything = fc.anything({
  key: fc.oneof(text, fc.constantFrom(...secretNames, '__proto__', 'constructor', 'toJSON')),
  values: [text, fc.double(), fc.bigInt(), fc.boolean(), fc.constant(undefined)],
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withSparseArray: true,
  withBoxedValues: true,
  withNullPrototype: true,
})

describe('scrub', () => {
  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(text, (value) => {
        const once = scrubText(value)
        expect(scrubText(once)).toBe(once)
      }),
      { numRuns: 2_000 },
    )
    fc.assert(
      fc.property(anything, (value) => {
        const once = scrub(value)
        expect(scrub(once)).toEqual(once)
      }),
      { numRuns: 500 },
    )
  })

  it('never throws, never changes its input, and returns serialisable values', () => {
    fc.assert(
      fc.property(anything, (value) => {
        const before = fc.stringify(value)
        const result = scrub(value)
        expect(fc.stringify(value)).toBe(before)
        expect(() => JSON.stringify(result)).not.toThrow()
      }),
      { numRuns: 1_000 },
    )
  })

  it('handles hostile values', () => {
    const cycle: Record<string, unknown> = { name: 'a' }
    cycle.self = cycle
    const error = new Error('outer')
    error.cause = error
    const hostile = {
      get broken() {
        throw new Error('no')
      },
      cycle,
      error,
      proxy: new Proxy({}, { ownKeys: () => Reflect.ownKeys(1 as never) }),
      revoked: revokedProxy(),
      symbol: Symbol('bob@example.com'),
      big: 4_111n,
      call: () => 'x',
      noName: Object.defineProperty(new Error('m'), 'name', { get: () => Reflect.ownKeys(1 as never) }),
    }
    const shown = scrub(hostile) as Record<string, Record<string, unknown>>
    expect(shown.broken).toBe('[unreadable]')
    expect(shown.cycle?.self).toBe('[circular]')
    expect(shown.error?.cause).toBe('[circular]')
    expect(shown.proxy).toBe('[unreadable]')
    expect(shown.revoked).toBe('[unreadable]')
    expect(shown.symbol).toBe('Symbol([email])')
    expect(shown.big).toBe('4111')
    expect(shown.call).toBe('[function]')
  })

  it.each(['1', '1 ', 'a@', '@', '::1 ', '%41', 'key="', 'a.'])('handles 8 MB of %j', (part) => {
    expect(typeof scrubText(part.repeat(8e6 / part.length))).toBe('string')
  })

  it('keeps depth and size within bounds', () => {
    let deep: unknown = 'end'
    for (let level = 0; level < 10_000; level++) deep = [deep]
    expect(JSON.stringify(scrub(deep))).toContain('[too deep]')
    const wide = scrub(Array.from({ length: 100_000 }, (_, index) => index)) as unknown[]
    expect(wide.length).toBeLessThan(30_000)
    expect(wide.at(-1)).toBe('[too much]')
  })

  it('does not change the prototype of a copy', () => {
    const copy = scrub(JSON.parse('{"__proto__":{"isAdmin":true}}')) as Record<string, unknown>
    expect(copy.isAdmin).toBeUndefined()
    expect(Object.hasOwn(copy, '__proto__')).toBe(true)
  })

  it('redacts a card in a number, and keeps other numbers', () => {
    expect(scrub({ n: 4_111_111_111_111_111, at: 1_790_000_000_000, size: 5_551_234_567 })).toEqual({
      n: '[card]',
      at: 1_790_000_000_000,
      size: 5_551_234_567,
    })
  })
})

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
