import { brotliCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { widgetLocales } from '#contract/widget-settings.ts'
import { strings as english } from './en.ts'

const maxBytes = 2176
const placeholders = (text: string) => (text.match(/{\w+}/g) ?? []).sort()

/** Texts that are the same word in these languages, or a name. */
const alike: Record<string, string[]> = {
  de: ['label', 'screenshot', 'pause', 'text'],
  fr: ['question', 'pause'],
  es: ['idea'],
  pt: [],
  it: ['label', 'idea', 'file'],
  nl: ['label', 'open', 'pen'],
  pl: ['start'],
  sv: ['label', 'text'],
  ja: [],
  ar: [],
  he: [],
}

describe.each(widgetLocales.filter((locale) => locale !== 'en'))('the texts in %s', (locale) => {
  const load = async () => ((await import(`./${locale}.ts`)) as { strings: Record<string, string> }).strings

  it('have every name, in the same order', async () => {
    expect(Object.keys(await load())).toEqual(Object.keys(english))
  })

  it('have the same placeholders', async () => {
    const strings = await load()
    for (const [name, text] of Object.entries(english)) {
      expect(placeholders(strings[name] ?? ''), name).toEqual(placeholders(text))
    }
  })

  it('are translated', async () => {
    const strings = await load()
    const same = Object.entries(english).filter(([name, text]) => strings[name] === text)
    expect(same.map(([name]) => name)).toEqual(alike[locale])
  })

  it('are neither empty nor padded', async () => {
    for (const [name, text] of Object.entries(await load())) {
      expect(text, name).toBe(text.trim())
      expect(text, name).not.toBe('')
    }
  })

  it(`take at most ${maxBytes} bytes compressed`, async () => {
    expect(brotliCompressSync(JSON.stringify(await load())).length).toBeLessThanOrEqual(maxBytes)
  })
})
