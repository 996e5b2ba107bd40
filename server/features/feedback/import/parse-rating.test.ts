import { describe, expect, it } from 'vitest'
import { parseRating } from './parse-rating.ts'

describe('parseRating', () => {
  it.each([
    ['4', 4],
    ['4.0', 4],
    ['2/5', 2],
    ['2 / 5', 2],
    ['2 von 5', 2],
    ['3 out of 5 stars', 3],
    ['4 sur 5', 4],
    ['8/10', 4],
    ['1/10', 1],
    ['90/100', 5],
    ['2 stars', 2],
    ['1 Stern', 1],
    ['3 étoiles', 3],
    ['★★☆☆☆', 2],
    ['⭐️⭐️⭐️', 3],
  ])('reads %j as %i', (text, rating) => expect(parseRating(text)).toBe(rating))

  it.each(['0', '6', '0/5', '6/5', '4.5', 'eleven', '2 cars', '☆☆', '3/0', '12 von 5'])('refuses %j', (text) =>
    expect(parseRating(text)).toBeUndefined(),
  )

  it.each([
    ['1', 5],
    ['2-', 4],
    ['2,3', 4],
    ['3', 3],
    ['5', 1],
    ['6', 1],
  ])('reads the German school grade %j as %i', (text, rating) => expect(parseRating(text, 'school_grade')).toBe(rating))

  it.each(['0', '7', '2/5', 'gut'])('refuses the school grade %j', (text) =>
    expect(parseRating(text, 'school_grade')).toBeUndefined(),
  )
})
