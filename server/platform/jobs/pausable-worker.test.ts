import pg from 'pg'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { createLog } from '../log/log.ts'
import type { ReadOnly } from '../read-only/read-only.ts'
import { defineJob, type Job } from './job.ts'
import { startPausableWorker } from './pausable-worker.ts'
import { startWorker } from './worker.ts'

const log = createLog({ level: 'silent' })
let database: TestDatabase & { appUrl: string }
let owner: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

function createSwitch(isOn: boolean): Pick<ReadOnly, 'current' | 'onChange'> & { turn(on: boolean): void } {
  const mode = { message: null, endsAt: null, since: new Date(), turnedOnBy: 'test' }
  const listeners: (() => void)[] = []
  let on = isOn
  return {
    current: () => (on ? mode : undefined),
    onChange: (listener) => listeners.push(listener),
    turn: (next) => {
      on = next
      for (const listener of listeners) listener()
    },
  }
}

const queue = (name: string) => owner.query('select graphile_worker.add_job($1, $2)', [name, '{}'])

describe('a worker while the instance is read-only', () => {
  it('leaves jobs in the queue without an attempt, runs those that go on, and makes up for the rest', async () => {
    const ran: string[] = []
    const held = Promise.withResolvers<void>()
    const jobs: Job[] = [
      defineJob('changes_data', Type.Object({}), async () => void ran.push('changes_data')),
      defineJob('goes_on', Type.Object({}), async () => void ran.push('goes_on'), { evenReadOnly: 'a test' }),
      defineJob('takes_long', Type.Object({}), async () => {
        ran.push('takes_long began')
        await held.promise
        ran.push('takes_long ended')
      }),
    ]
    const readOnly = createSwitch(false)
    const start = (chosen: readonly Job[]) =>
      startWorker({ url: database.appUrl, log, jobs: chosen, concurrency: 2, heartbeatMs: 1_000 })
    const worker = await startPausableWorker({ jobs, start, readOnly, log })
    try {
      await queue('takes_long')
      await expect.poll(() => ran).toEqual(['takes_long began'])
      readOnly.turn(true)
      await queue('changes_data')
      await queue('goes_on')
      // The job at hand does not hold up the switch.
      await expect.poll(() => ran).toEqual(['takes_long began', 'goes_on'])
      held.resolve()
      await expect.poll(() => ran).toContain('takes_long ended')
      await queue('goes_on')
      await expect.poll(() => ran.filter((name) => name === 'goes_on').length).toBe(2)
      const { rows } = await owner.query(
        "select attempts from graphile_worker.jobs where task_identifier = 'changes_data'",
      )
      expect(rows).toEqual([{ attempts: 0 }])
      readOnly.turn(false)
      await expect.poll(() => ran).toContain('changes_data')
    } finally {
      held.resolve()
      await worker.stop()
    }
  })

  it('starts without the jobs that wait, also when none continues', async () => {
    const ran: string[] = []
    const jobs = [defineJob('changes_data', Type.Object({}), async () => void ran.push('changes_data'))]
    const readOnly = createSwitch(true)
    await queue('changes_data')
    let started = 0
    const start = (chosen: readonly Job[]) => {
      started += 1
      return startWorker({ url: database.appUrl, log, jobs: chosen, concurrency: 1 })
    }
    const worker = await startPausableWorker({ jobs, start, readOnly, log })
    try {
      await worker.check()
      expect(started).toBe(0)
      readOnly.turn(false)
      await expect.poll(() => ran).toEqual(['changes_data'])
    } finally {
      await worker.stop()
    }
  })
})
