import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { returnMemory } from './return-memory.ts'

let end = () => {}
afterEach(() => end())

function keepBusy(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; ) {
    // As a request's work does.
  }
}

it('collects once a process is idle, and again only after its heap has grown', async () => {
  const collect = vi.fn()
  const grow = () => Array.from({ length: 300 }, (_, n) => Array.from({ length: 50_000 }, () => n))
  const grown = [grow()]
  end = returnMemory({ collect, everyMs: 30 })
  await expect.poll(() => collect.mock.calls.length).toBe(1)
  await pause(300)
  expect(collect).toHaveBeenCalledTimes(1)
  grown.push(grow())
  await expect.poll(() => collect.mock.calls.length).toBe(2)
  expect(grown).toHaveLength(2)
})

it('holds up no process that is busy', async () => {
  const collect = vi.fn()
  end = returnMemory({ collect, everyMs: 50 })
  for (let turn = 0; turn < 40; turn += 1) {
    keepBusy(8)
    await pause(1)
  }
  expect(collect).not.toHaveBeenCalled()
})

it('does nothing in a process that was not started for it', () => {
  expect(globalThis.gc).toBeUndefined()
  expect(returnMemory()()).toBeUndefined()
})
