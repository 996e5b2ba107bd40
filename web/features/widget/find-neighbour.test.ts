import { describe, expect, it } from 'vitest'
import { findNeighbour } from './find-neighbour.ts'

const places = ['top-left', 'top-right', 'middle-left', 'middle-right', 'bottom-left', 'bottom-right'] as const

describe('findNeighbour', () => {
  it('moves as the places are drawn', () => {
    expect(findNeighbour(places, 'top-left', 'ArrowDown')).toBe('middle-left')
    expect(findNeighbour(places, 'bottom-right', 'ArrowUp')).toBe('middle-right')
    expect(findNeighbour(places, 'middle-left', 'ArrowRight')).toBe('middle-right')
    expect(findNeighbour(places, 'middle-right', 'ArrowLeft')).toBe('middle-left')
  })

  it('stays at an edge', () => {
    expect(findNeighbour(places, 'top-left', 'ArrowUp')).toBe('top-left')
    expect(findNeighbour(places, 'top-left', 'ArrowLeft')).toBe('top-left')
    expect(findNeighbour(places, 'bottom-right', 'ArrowDown')).toBe('bottom-right')
    expect(findNeighbour(places, 'bottom-right', 'ArrowRight')).toBe('bottom-right')
  })

  it('leaves other keys alone', () => {
    expect(findNeighbour(places, 'top-left', 'Tab')).toBeUndefined()
  })
})
