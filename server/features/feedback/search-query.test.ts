import { describe, expect, it } from 'vitest'
import { toSearchQuery } from './search-query.ts'

describe('toSearchQuery', () => {
  it.each([
    ['checkout broken', "'checkout':* & 'broken':*"],
    ['  Ada@Example.com ', "'ada':* & 'example':* & 'com':*"],
    ["it's \\ 'quoted' & | ! ( ) :*", "'it':* & 's':* & 'quoted':*"],
    ['example.com v2.0', "('example':* & 'com':* | 'example.com':*) & ('v2':* & '0':* | 'v2.0':*)"],
    ['größe 東京', "'größe':* & '東京':*"],
  ])('%j', (typed, query) => {
    expect(toSearchQuery(typed)).toBe(query)
  })

  it.each(['', '   ', '!!!', '&|:*'])('finds no word in %j', (typed) => {
    expect(toSearchQuery(typed)).toBeUndefined()
  })

  it('bounds the number of words', () => {
    expect(toSearchQuery('a '.repeat(100))?.split('&')).toHaveLength(20)
  })
})
