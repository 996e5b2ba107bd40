import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createLog } from '../log/log.ts'
import { createAdmission } from './admission.ts'

const targetMs = 1_000

/** An admission whose clock stands still, and work that ends when told. */
function setUp(options: { maxRunning: number; maxWaiting?: number }) {
  let nowMs = 0
  const admission = createAdmission({
    maxWaiting: 100,
    targetMs,
    log: createLog({ level: 'silent' }),
    now: () => nowMs,
    ...options,
  })
  const ends: (() => void)[] = []
  const order: string[] = []
  /** Asks for a turn and, once it has it, runs until it is ended. */
  const send = async (group: string, name = group): Promise<boolean> => {
    if (!(await admission.enter(group))) return false
    order.push(name)
    await admission.run(() => new Promise<void>((resolve) => ends.push(resolve)))
    return true
  }
  return {
    admission,
    order,
    send,
    /** Lets time pass in which the event loop has nothing to do. */
    pass: async (ms: number) => {
      await nextTurn()
      await nextTurn()
      nowMs += ms
    },
    /** Lets time pass in which the event loop is busy. */
    beBusy: (ms: number) => {
      nowMs += ms
    },
    /** Ends the oldest running work, and lets what follows begin. */
    end: async () => {
      ends.shift()?.()
      await nextTurn()
      await nextTurn()
    },
  }
}

describe('admission', () => {
  it('lets a request go on at once while fewer run than may', () => {
    const { admission } = setUp({ maxRunning: 1 })
    expect(admission.enter('one')).toBe(true)
  })

  it('keeps a request waiting until one has ended', async () => {
    const { send, end, order } = setUp({ maxRunning: 1 })
    void send('one', 'first')
    await nextTurn()
    void send('one', 'second')
    await nextTurn()
    expect(order).toEqual(['first'])
    await end()
    expect(order).toEqual(['first', 'second'])
  })

  it('serves groups in turn, so that a flood into one delays no other', async () => {
    const { send, end, order } = setUp({ maxRunning: 1 })
    void send('flood', 'running')
    await nextTurn()
    for (let index = 0; index < 50; index += 1) void send('flood')
    void send('quiet')
    await end()
    await end()
    expect(order).toEqual(['running', 'flood', 'quiet'])
  })

  it('refuses requests of a group whose oldest has waited for half of the target, and no other group’s', async () => {
    const { admission, send, pass, end, order } = setUp({ maxRunning: 1 })
    void send('flood', 'running')
    await nextTurn()
    void send('flood', 'old')
    await pass(targetMs / 2 + 1)
    expect(admission.enter('flood')).toBe(false)
    void send('quiet')
    await end()
    await end()
    expect(order).toEqual(['running', 'old', 'quiet'])
  })

  it('refuses a request that has waited for longer than the target, also when nothing ends', async () => {
    const { send, pass } = setUp({ maxRunning: 1 })
    void send('one')
    await nextTurn()
    const late = send('one')
    await pass(targetMs + 1)
    expect(await late).toBe(false)
  })

  it('lets requests wait less in a queue that has stood for longer than the target', async () => {
    const { send, pass, end } = setUp({ maxRunning: 1 })
    void send('one')
    void send('one')
    await nextTurn()
    const refusedAtMs: number[] = []
    // One comes and one ends each 300 ms: the oldest has always waited for so long, which a burst may.
    for (let ms = 300; ms <= 1_200; ms += 300) {
      await pass(300)
      void send('one').then((isAdmitted) => isAdmitted || refusedAtMs.push(ms))
      await end()
    }
    expect(refusedAtMs).toEqual([1_200])
  })

  it('refuses a flood beyond what may wait, and still takes in a group with less than its share', async () => {
    const { admission, send } = setUp({ maxRunning: 1, maxWaiting: 10 })
    void send('flood')
    await nextTurn()
    const answers = Array.from({ length: 11 }, () => admission.enter('flood'))
    expect(answers.map((answer) => answer === false)).toEqual([...Array.from({ length: 10 }, () => false), true])
    expect(admission.enter('quiet')).not.toBe(false)
  })

  it('starts a part of a burst in each turn of the event loop, and all of it in the end', async () => {
    const { admission } = setUp({ maxRunning: 1_000 })
    const answers = Array.from({ length: 100 }, () => admission.enter('burst'))
    const atOnce = answers.filter((answer) => answer === true).length
    expect(atOnce).toBeGreaterThan(0)
    expect(atOnce).toBeLessThan(100)
    expect(await Promise.all(answers)).toEqual(answers.map(() => true))
  })

  it('starts little more after a long turn, so that turns do not grow', async () => {
    const { admission, beBusy } = setUp({ maxRunning: 1_000, maxWaiting: 1_000 })
    admission.enter('one')
    beBusy(targetMs / 5)
    await nextTurn()
    await nextTurn()
    const answers = Array.from({ length: 500 }, () => admission.enter('burst'))
    expect(answers.filter((answer) => answer === true).length).toBeLessThan(100)
  })

  it('admits requests of one long turn, such as the first of a new process', async () => {
    const { admission, beBusy } = setUp({ maxRunning: 100 })
    expect(admission.enter('one')).toBe(true)
    beBusy(targetMs * 2)
    expect([admission.isClosed('one'), admission.enter('one')]).toEqual([false, true])
    await nextTurn()
    await nextTurn()
    expect([admission.isClosed('one'), admission.enter('one')]).toEqual([false, true])
  })

  it('counts the time as waiting for which this process is too busy to read a request, but for a few turns', async () => {
    const { admission, beBusy, pass } = setUp({ maxRunning: 100 })
    const answers: boolean[] = []
    for (let turn = 1; turn <= 6; turn += 1) {
      answers.push(!admission.isClosed('one') && admission.enter('one') === true)
      beBusy(targetMs / 2 + 1)
      await nextTurn()
      await nextTurn()
    }
    // The first is not late, and four are excused.
    expect(answers).toEqual([true, true, true, true, true, false])
    await pass(targetMs)
    expect([admission.isClosed('one'), admission.enter('one')]).toEqual([false, true])
    beBusy(targetMs / 2 + 1)
    await nextTurn()
    await nextTurn()
    expect([admission.isClosed('one'), admission.enter('one')]).toEqual([true, false])
  })

  it('takes in requests again once the flood is over', async () => {
    const { admission, send, pass, end } = setUp({ maxRunning: 1 })
    void send('one')
    await nextTurn()
    const late = send('one')
    await pass(targetMs + 1)
    await late
    await end()
    expect(admission.enter('one')).toBe(true)
  })
})
