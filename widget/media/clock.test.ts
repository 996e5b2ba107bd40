import { describe, expect, it } from 'vitest'
import { createClock } from './clock.ts'

describe('createClock', () => {
  it('counts what passes while it runs, and no pause', () => {
    let now = 1000
    const clock = createClock(() => now)
    now = 1500
    expect(clock.read()).toBe(0)
    clock.run()
    now = 3500
    expect(clock.read()).toBe(2000)
    clock.halt()
    now = 9000
    expect(clock.read()).toBe(2000)
    clock.run()
    now = 9250
    expect(clock.read()).toBe(2250)
  })

  it('is not disturbed by being told twice', () => {
    let now = 0
    const clock = createClock(() => now)
    clock.halt()
    clock.run()
    now = 100
    clock.run()
    now = 200
    clock.halt()
    clock.halt()
    now = 900
    expect(clock.read()).toBe(200)
  })
})
