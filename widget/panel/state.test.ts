import { expect, it } from 'vitest'
import { fill } from './state.ts'

it('fills values into a text, as they are', () => {
  expect(fill('{name} is too large: at most {n} MB.', { name: '$& {n}', n: 25 })).toBe(
    '$& {n} is too large: at most 25 MB.',
  )
})
