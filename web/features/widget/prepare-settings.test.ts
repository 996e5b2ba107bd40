import { describe, expect, it } from 'vitest'
import { defaultWidgetSettings } from '#contract/widget-settings.ts'
import { prepareSettings } from './prepare-settings.ts'

const field = { id: 'q_1', kind: 'text', label: 'Order', required: false } as const

describe('prepareSettings', () => {
  it('leaves whole settings as they are', () => {
    expect(prepareSettings(defaultWidgetSettings)).toEqual(defaultWidgetSettings)
  })

  it('drops blank lines, doubled choices and surrounding space', () => {
    const prepared = prepareSettings({
      ...defaultWidgetSettings,
      fields: [{ ...field, kind: 'select', label: ' Size ', options: ['S', ' ', 'M ', 'M', ''] }],
      privacy: { ...defaultWidgetSettings.privacy, mask: ['', ' .iban '] },
    })
    expect(prepared?.fields[0]).toMatchObject({ label: 'Size', options: ['S', 'M'] })
    expect(prepared?.privacy.mask).toEqual(['.iban'])
  })

  it.each([
    ['a question without words', { fields: [{ ...field, label: ' ' }] }],
    ['a choice without choices', { fields: [{ ...field, kind: 'select' as const, options: [' '] }] }],
    ['half an address', { contactEmail: 'ada@' }],
  ])('waits while the form holds %s', (_, part) => {
    expect(prepareSettings({ ...defaultWidgetSettings, ...part })).toBeUndefined()
  })
})
