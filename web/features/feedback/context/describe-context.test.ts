import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeContext } from './describe-context.ts'

/** As a browser sent it, but for the names. */
const sent = {
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
  system: {
    brands: [{ brand: 'Chromium', version: '150' }],
    mobile: false,
    model: '',
    platform: 'Windows',
    platformVersion: '15.0.0',
  },
  language: 'de-DE',
  languages: ['de-DE', 'de', 'en'],
  timeZone: 'Europe/Berlin',
  viewport: { width: 1280, height: 720, pixelRatio: 1.5 },
  zoom: 1,
  screen: { width: 2560, height: 1440 },
  colorScheme: 'dark',
  reducedMotion: false,
  touch: false,
  online: true,
  connection: '4g',
  saveData: false,
  memory: 8,
  cores: 12,
  referrer: '',
  clicked: '#basket>button:nth-child(2)',
  load: [55.700000000186265, 480.20000000018626, 1812.4000000003725],
}

describe('describeContext', () => {
  it('names, rounds and groups what the widget sends, without empty rows', () => {
    const { groups, rest } = describeContext(sent)
    expect(groups.map(({ title, rows }) => [title, ...rows.map(({ name, value }) => `${name}: ${value}`)])).toEqual([
      [
        'Browser',
        'Browser: Chrome 150 on Windows',
        'System: Windows 11',
        'Languages: de-DE, de, en',
        'Time zone: Europe/Berlin',
        'Processor cores: 12',
        'Memory: 8 GB or more',
        'Connection: 4G',
      ],
      ['Screen', 'Window: 1280 × 720 @1.5x', 'Screen: 2560 × 1440', 'Colour scheme: Dark'],
      [
        'Page',
        'Loaded in: 1.8 s (first byte after 56 ms, usable after 480 ms)',
        'Last clicked: #basket>button:nth-child(2)',
      ],
    ])
    expect(rest).toEqual({})
  })

  it('says what is unusual', () => {
    const { groups } = describeContext({ zoom: 2.5, touch: true, reducedMotion: true, online: false, saveData: true })
    expect(groups.flatMap(({ rows }) => rows.map(({ name, value }) => `${name}: ${value}`))).toEqual([
      'Data saver: On',
      'Network: Offline when it was sent',
      'Pinch zoom: 250 %',
      'Touch screen: Yes',
      'Reduced motion: Preferred',
    ])
  })

  it('leaves over what has another form, and drops what is empty', () => {
    const { groups, rest } = describeContext({ viewport: 'wide', load: 'fast', battery: 0.4, plugins: [], note: null })
    expect(groups).toEqual([])
    expect(rest).toEqual({ viewport: 'wide', load: 'fast', battery: 0.4 })
  })

  it('takes any JSON, and loses no value that is not empty', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(sent), 'other'), fc.jsonValue()), (context) => {
        const { groups, rest } = describeContext(context)
        for (const { rows } of groups) for (const { value } of rows) expect(value).not.toBe('')
        if (typeof context.other === 'number') expect(rest.other).toBe(context.other)
      }),
    )
  })
})
