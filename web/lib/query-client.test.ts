import { describe, expect, it } from 'vitest'
import { createQueryClient } from './query-client.ts'

const { queries = {}, mutations = {} } = createQueryClient().getDefaultOptions()
type Retry = (failures: number, error: unknown) => boolean

describe('createQueryClient', () => {
  it('retries queries three times, mutations once', () => {
    const query = queries.retry as Retry
    const mutation = mutations.retry as Retry
    expect([0, 1, 2, 3].map((failures) => query(failures, new Error('lost')))).toEqual([true, true, true, false])
    expect([0, 1].map((failures) => mutation(failures, new Error('lost')))).toEqual([true, false])
  })

  it('retries neither after a 4xx answer', () => {
    for (const status of [400, 401, 404, 429, 499]) {
      expect((queries.retry as Retry)(0, { status })).toBe(false)
      expect((mutations.retry as Retry)(0, { status })).toBe(false)
    }
    expect((queries.retry as Retry)(0, { status: 503 })).toBe(true)
  })

  it('waits 1 s, doubling, at most 4 s; mutations 1 s', () => {
    const delay = queries.retryDelay as (attempt: number) => number
    expect([0, 1, 2, 3].map(delay)).toEqual([1000, 2000, 4000, 4000])
    expect(mutations.retryDelay).toBe(1000)
  })

  it('holds answers fresh and unused ones in memory for 5 minutes', () => {
    expect(queries.staleTime).toBe(300_000)
    expect(queries.gcTime).toBe(300_000)
  })
})
