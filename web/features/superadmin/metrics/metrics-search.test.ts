import { describe, expect, it } from 'vitest'
import {
  findRangeProblem,
  linkToMetricsParts,
  readMetricsPartsSearch,
  readMetricsSearch,
  writeMetricsSearch,
} from './metrics-search.ts'

const now = new Date('2026-03-02T12:00:00Z')
const readParts = (link: string) => readMetricsPartsSearch(new URL(link, 'https://earshot.example').searchParams)

describe('readMetricsSearch', () => {
  it('reads thirty days by default, and what writeMetricsSearch writes', () => {
    const search = readMetricsSearch(new URLSearchParams(), now)
    expect(search).toEqual({ period: '30', from: '2026-02-01', to: '2026-03-02', step: '' })
    expect(writeMetricsSearch(search).toString()).toBe('')
    const own = { period: 'own', from: '2026-01-01', to: '2026-01-31', step: 'week' } as const
    expect(readMetricsSearch(writeMetricsSearch(own), now)).toEqual(own)
  })

  it.each(['from=2026-02-30&to=2026-03-01', 'from=2026-03-02&to=2026-03-01', 'days=8', 'step=hour'])(
    'falls back to the default for %s',
    (text) => {
      expect(readMetricsSearch(new URLSearchParams(text), now)).toMatchObject({ period: '30', step: '' })
    },
  )

  it('names what is wrong with a range', () => {
    expect(findRangeProblem('2020-01-01', '2026-01-01')).toBe('Select at most three years.')
    expect(findRangeProblem('', '2026-01-01')).toBe('Select the first day.')
  })
})

describe('readMetricsPartsSearch', () => {
  it('reads what linkToMetricsParts writes, a cohort for active organisations alone', () => {
    const range = { from: '2026-01-05', to: '2026-01-11' }
    expect(readParts(linkToMetricsParts('items', range))).toEqual({ figure: 'items', ...range, cohort: '' })
    expect(readParts(linkToMetricsParts('active', range, '2026-01-05'))?.cohort).toBe('2026-01-05')
    expect(readParts('?figure=items&from=2026-01-05&to=2026-01-11&cohort=2026-01-05')?.cohort).toBe('')
    expect(readParts('?figure=profit&from=2026-01-05&to=2026-01-11')).toBeUndefined()
  })
})
