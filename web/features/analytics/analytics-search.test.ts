import { describe, expect, it } from 'vitest'
import { findRangeProblem, readAnalyticsSearch, writeAnalyticsSearch } from './analytics-search.ts'

const now = new Date('2026-11-21T12:00:00Z')
const project = '0192e4a0-0000-7000-8000-00000000d101'
const read = (search: string) => readAnalyticsSearch(new URLSearchParams(search), now)

describe('readAnalyticsSearch', () => {
  it.each([
    ['', { period: '30', from: '2026-10-23', to: '2026-11-21', projects: [] }],
    ['days=7', { period: '7', from: '2026-11-15', to: '2026-11-21', projects: [] }],
    ['days=8&project=x', { period: '30', from: '2026-10-23', to: '2026-11-21', projects: [] }],
    ['from=2026-01-01&to=2026-01-31', { period: 'own', from: '2026-01-01', to: '2026-01-31', projects: [] }],
    ['from=2026-02-30&to=2026-03-31&days=90', { period: '90', from: '2026-08-24', to: '2026-11-21', projects: [] }],
    ['from=2026-03-31&to=2026-03-01', { period: '30', from: '2026-10-23', to: '2026-11-21', projects: [] }],
    [`project=${project.toUpperCase()}`, { period: '30', from: '2026-10-23', to: '2026-11-21', projects: [project] }],
  ])('%s', (search, expected) => {
    expect(read(search)).toEqual(expected)
    expect(read(writeAnalyticsSearch(read(search)))).toEqual(expected)
  })
})

describe('findRangeProblem', () => {
  it.each([
    ['2026-01-01', '2026-01-01', undefined],
    ['', '2026-01-01', 'Select the first day.'],
    ['2026-01-02', '2026-01-01', 'The last day is before the first.'],
    ['2020-01-01', '2026-01-01', 'Select at most three years.'],
  ])('%s to %s', (from, to, problem) => expect(findRangeProblem(from, to)).toBe(problem))
})
