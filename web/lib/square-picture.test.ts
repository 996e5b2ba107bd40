import { describe, expect, it } from 'vitest'
import { computeSquare, findPictureProblem } from './square-picture.ts'

describe('computeSquare', () => {
  it('takes the middle of a wide picture', () => {
    expect(computeSquare(400, 100)).toEqual({ x: 150, y: 0, edge: 100 })
  })

  it('takes the middle of a tall picture', () => {
    expect(computeSquare(99, 200)).toEqual({ x: 0, y: 50, edge: 99 })
  })

  it('takes all of a square', () => {
    expect(computeSquare(7, 7)).toEqual({ x: 0, y: 0, edge: 7 })
  })
})

describe('findPictureProblem', () => {
  it('accepts a photograph', () => {
    expect(findPictureProblem({ type: 'image/jpeg', size: 4_000_000 })).toBeUndefined()
  })

  it.each(['image/svg+xml', 'application/pdf', ''])('refuses %s', (type) => {
    expect(findPictureProblem({ type, size: 10 })).toMatch(/Select a PNG/)
  })

  it('refuses a file that is too large to be read', () => {
    expect(findPictureProblem({ type: 'image/png', size: 26 * 1024 * 1024 })).toMatch(/larger than 25 MB/)
  })
})
