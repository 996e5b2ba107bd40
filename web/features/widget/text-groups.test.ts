import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { groupTexts } from './text-groups.ts'

const defaults = {
  label: 'Feedback',
  title: 'Send us your feedback',
  bugHint: 'What happened?',
  thanks: 'Thank you',
  microphone: 'With microphone',
  pause: 'Pause',
}
const all = { words: '', isChangedOnly: false }
const listNames = (...search: Parameters<typeof groupTexts>) =>
  groupTexts(...search).map(({ label, texts }) => [label, ...texts.map(([name]) => name)].join(' '))

describe('groupTexts', () => {
  it('groups texts by where they show', () => {
    expect(listNames(defaults, {}, all)).toEqual([
      'Button label',
      'Form title bugHint',
      'After sending thanks',
      'Recording microphone pause',
    ])
  })

  it('finds words of the text, its replacement, its name and its group', () => {
    expect(listNames(defaults, {}, { ...all, words: 'happened' })).toEqual(['Form bugHint'])
    expect(listNames(defaults, { pause: 'Hold on' }, { ...all, words: 'hold' })).toEqual(['Recording pause'])
    expect(listNames(defaults, {}, { ...all, words: 'BUG hint' })).toEqual(['Form bugHint'])
    expect(listNames(defaults, {}, { ...all, words: 'recording' })).toEqual(['Recording microphone pause'])
    expect(listNames(defaults, {}, { ...all, words: 'recording happened' })).toEqual([])
  })

  it('lists changed texts only', () => {
    expect(listNames(defaults, { title: 'Hello' }, { words: '', isChangedOnly: true })).toEqual(['Form title'])
  })

  it('has a group for each section of the widget’s list', async () => {
    const list = await readFile(new URL('../../../widget/locales/en.ts', import.meta.url), 'utf8')
    const starts = [...list.matchAll(/^ {2}\/\/ .+\n {2}(\w+):/gm)].map(([, name = '']) => name)
    expect(starts.length).toBeGreaterThan(5)
    const groups = groupTexts(Object.fromEntries(starts.map((name) => [name, ''])), {}, all)
    expect(groups.map(({ texts }) => texts.map(([name]) => name))).toEqual(starts.map((name) => [name]))
  })
})
