import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClock } from './clock.ts'

let now = 0

beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('createClock', () => {
  it('counts running time, without pauses', () => {
    now = 1000
    const clock = createClock()
    now = 1500
    expect(clock()).toBe(0)
    clock(true)
    now = 3500
    expect(clock()).toBe(2000)
    clock(false)
    now = 9000
    expect(clock()).toBe(2000)
    clock(true)
    now = 9250
    expect(clock()).toBe(2250)
  })

  it('ignores a repeated start or halt', () => {
    now = 0
    const clock = createClock()
    clock(false)
    clock(true)
    now = 100
    clock(true)
    now = 200
    clock(false)
    clock(false)
    now = 900
    expect(clock()).toBe(200)
  })
})
