import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { derivedRevenueFigures, revenueFigureNames, revenueFigures } from '#contract/revenue.ts'

const guide = readFileSync(new URL('../../../../docs/guides/superadmin-billing.md', import.meta.url), 'utf8')

describe('figures of revenue', () => {
  it('are defined in the guide in the same words', () => {
    for (const { label, definition } of Object.values({ ...revenueFigures, ...derivedRevenueFigures })) {
      expect(guide).toContain(`* **${label}**: ${definition}\n`)
    }
  })

  it('can all be asked for', () => {
    expect(revenueFigureNames.toSorted()).toEqual(Object.keys(revenueFigures).toSorted())
  })
})
