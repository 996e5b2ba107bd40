import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createGroupCommit } from './group-commit.ts'

describe('group commit', () => {
  it('writes together what arrives while a write is in flight', async () => {
    const batches: number[][] = []
    const commits = createGroupCommit({
      write: async (items: readonly number[]) => {
        batches.push([...items])
        await pause(20)
        return items.map((item) => item * 10)
      },
      maxBatch: 100,
    })
    const first = commits.submit(1)
    await pause(5)
    const rest = Promise.all([commits.submit(2), commits.submit(3), commits.submit(4)])
    expect([await first, ...(await rest)]).toEqual([10, 20, 30, 40])
    expect(batches).toEqual([[1], [2, 3, 4]])
  })

  it('opens a second lane only for enough items, and forgets none', async () => {
    const batches: number[] = []
    let inFlight = 0
    let most = 0
    const disk = Promise.withResolvers<void>()
    const commits = createGroupCommit({
      write: async (items: readonly number[]) => {
        batches.push(items.length)
        inFlight += 1
        most = Math.max(most, inFlight)
        await disk.promise
        inFlight -= 1
        return [...items]
      },
      maxBatch: 100,
      lanes: 2,
      worthALane: 3,
    })
    const first = commits.submit(0)
    await expect.poll(() => batches).toEqual([1])
    const few = [commits.submit(1), commits.submit(2)]
    await pause(5)
    expect(batches).toEqual([1])
    const enough = commits.submit(3)
    await expect.poll(() => batches).toEqual([1, 3])
    disk.resolve()
    expect(await Promise.all([first, ...few, enough])).toEqual([0, 1, 2, 3])
    expect([batches, most]).toEqual([[1, 3], 2])
  })

  it('writes no more than a batch holds', async () => {
    const sizes: number[] = []
    const commits = createGroupCommit({
      write: async (items: readonly number[]) => {
        sizes.push(items.length)
        return [...items]
      },
      maxBatch: 4,
    })
    await Promise.all(Array.from({ length: 10 }, (_, index) => commits.submit(index)))
    expect(sizes).toEqual([4, 4, 2])
  })

  it('lets one bad item fail alone', async () => {
    const commits = createGroupCommit({
      write: async (items: readonly string[]) => {
        if (items.includes('bad')) throw new Error('cannot write that')
        return [...items]
      },
      maxBatch: 10,
    })
    const results = await Promise.allSettled(['a', 'bad', 'b'].map((item) => commits.submit(item)))
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('drains: resolves once everything taken in is written', async () => {
    let written = 0
    const commits = createGroupCommit({
      write: async (items: readonly number[]) => {
        await pause(5)
        written += items.length
        return [...items]
      },
      maxBatch: 3,
    })
    const all = Array.from({ length: 10 }, (_, index) => commits.submit(index))
    await commits.drain()
    expect(written).toBe(10)
    await Promise.all(all)
    await commits.drain()
  })
})
