import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flattenValues } from './flatten-values.ts'

describe('flattenValues', () => {
  it('writes a size in one row', () => {
    const { rows } = flattenValues({
      window: { width: 1280, height: 720, pixelRatio: 2 },
      screen: { width: 2560, height: 1440 },
    })
    expect(rows).toEqual([
      { name: 'Screen', value: '2560 × 1440' },
      { name: 'Window', value: '1280 × 720 @2x' },
    ])
  })

  it('joins the names of nested values, and lists of plain ones', () => {
    expect(
      flattenValues({ cart: { itemCount: 2, ids: [1, 2] }, plan: null, none: {}, steps: [{ a: 1 }] }).rows,
    ).toEqual([
      { name: 'Cart · ids', value: '1, 2' },
      { name: 'Cart · item count', value: '2' },
      { name: 'None', value: '—' },
      { name: 'Plan', value: '—' },
      { name: 'Steps · 0 · a', value: '1' },
    ])
  })

  it('puts values in order of names, and leaves lists in theirs', () => {
    const list = Array.from({ length: 11 }, (_, index) => ({ step: index }))
    const { rows } = flattenValues({ zoom: 1, touch: true, Battery: 'full', item10: 1, item9: 1, list })
    expect(rows.map(({ name }) => name)).toEqual([
      'Battery',
      'Item9',
      'Item10',
      ...list.map((_, index) => `List · ${index} · step`),
      'Touch',
      'Zoom',
    ])
  })

  it('counts what is too much to show', () => {
    const many = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`key${index}`, index]))
    const { rows, moreCount } = flattenValues(many)
    expect(rows).toHaveLength(100)
    expect(moreCount).toBe(30)
  })

  it('takes any JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (values) => {
        for (const { name, value } of flattenValues(values).rows)
          expect([typeof name, typeof value]).toEqual(['string', 'string'])
      }),
    )
  })
})
