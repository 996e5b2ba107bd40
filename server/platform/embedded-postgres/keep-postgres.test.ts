import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { keepPostgres } from './keep-postgres.ts'
import type { EmbeddedPostgres } from './start-postgres.ts'

const log = { error: () => {}, warn: () => {} }

/** A PostgreSQL that ends when it is told to. */
function createRunning(): EmbeddedPostgres & { end(): void } {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  return { url: 'postgres://127.0.0.1:1/earshot', ended, end, stop: async () => end(), kill: end }
}

describe('keepPostgres', () => {
  it('starts it again, also when a first attempt fails', async () => {
    const first = createRunning()
    const second = createRunning()
    let attempts = 0
    const startAgain = async () => {
      attempts += 1
      if (attempts === 1) throw new Error('no space left on the device')
      return second
    }
    const kept = keepPostgres(first, { startAgain, log, onGivenUp: () => expect.unreachable() })
    first.end()
    await expect.poll(() => attempts).toBe(2)
    await kept.stop()
    await second.ended
  })

  it('gives up after a while, with the reason and what to do', async () => {
    const first = createRunning()
    const { promise: lastWord, resolve: onGivenUp } = Promise.withResolvers<string>()
    const startAgain = () => Promise.reject(new Error('no space left on the device'))
    const kept = keepPostgres(first, { startAgain, log, onGivenUp, giveUpAfterMs: 200 })
    first.end()
    expect(await lastWord).toMatch(/not started again: no space left on the device.*start Earshot again/)
    await kept.stop()
  })

  it('gives up one that starts and ends at once, again and again', async () => {
    const first = createRunning()
    const { promise: lastWord, resolve: onGivenUp } = Promise.withResolvers<string>()
    const startAgain = async () => {
      const next = createRunning()
      next.end()
      return next
    }
    const kept = keepPostgres(first, { startAgain, log, onGivenUp, giveUpAfterMs: 200 })
    first.end()
    expect(await lastWord).toContain('postgres.log')
    await kept.stop()
  })

  it('does not start one that was stopped', async () => {
    const first = createRunning()
    let attempts = 0
    const startAgain = async () => {
      attempts += 1
      return createRunning()
    }
    const kept = keepPostgres(first, { startAgain, log, onGivenUp: () => expect.unreachable() })
    await kept.stop()
    await pause(200)
    expect(attempts).toBe(0)
  })
})
