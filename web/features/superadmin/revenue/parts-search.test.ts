import { describe, expect, it } from 'vitest'
import { linkToParts, readPartsSearch } from './parts-search.ts'

const read = (link: string) => readPartsSearch(new URL(link, 'https://earshot.example').searchParams)

describe('readPartsSearch', () => {
  it('reads what linkToParts writes', () => {
    expect(read(linkToParts('churn', '2026-01'))).toEqual({ figure: 'churn', month: '2026-01', cohort: '' })
    expect(read(linkToParts('mrr', '2026-03', '2026-01'))).toEqual({
      figure: 'mrr',
      month: '2026-03',
      cohort: '2026-01',
    })
  })

  it.each(['', '?figure=profit&month=2026-01', '?figure=mrr&month=2026-13', '?figure=mrr'])('refuses %j', (link) => {
    expect(read(link)).toBeUndefined()
  })
})
