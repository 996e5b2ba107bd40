/* Test clocks (https://docs.stripe.com/api/test_clocks), and the time of objects without one. */
import type Stripe from 'stripe'
import { type Account, idOf } from './account.ts'
import { passTime } from './billing-cycle.ts'
import { addInterval, daySeconds } from './periods.ts'
import { refuse } from './refusal.ts'

export function createTestClock(
  account: Account,
  params: Stripe.TestHelpers.TestClockCreateParams,
): Stripe.TestHelpers.TestClock {
  const clock: Stripe.TestHelpers.TestClock = {
    id: account.newId('clock'),
    object: 'test_helpers.test_clock',
    created: account.now(),
    deletes_after: account.now() + 30 * daySeconds,
    frozen_time: params.frozen_time,
    livemode: false,
    name: params.name ?? null,
    status: 'ready',
    status_details: {},
  }
  account.tables.testClocks.add(clock)
  account.emit('test_helpers.test_clock.created', clock)
  return clock
}

/** Moves a clock on. The answer says `advancing`, as Stripe's; the clock is ready when it is retrieved. */
export function advanceTestClock(account: Account, id: string, time: number): Stripe.TestHelpers.TestClock {
  const clock = account.tables.testClocks.get(id, 'test_clock')
  if (time <= clock.frozen_time) throw refuse('The new frozen time must be after the current one.', 'frozen_time')
  if (time > findFurthest(account, clock)) {
    const message = 'You can only advance a test clock by up to two intervals of its shortest subscription.'
    throw refuse(message, 'frozen_time')
  }
  clock.status = 'advancing'
  account.emit('test_helpers.test_clock.advancing', clock)
  passTime(account, id, time, (step) => {
    clock.frozen_time = step
  })
  clock.frozen_time = time
  clock.status = 'ready'
  account.emit('test_helpers.test_clock.ready', clock)
  return { ...clock, status: 'advancing' }
}

function findFurthest(account: Account, clock: Stripe.TestHelpers.TestClock): number {
  const prices = account.tables.subscriptions
    .list(({ test_clock: own, status }) => idOf(own) === clock.id && status !== 'canceled')
    .flatMap(({ items }) => items.data.map(({ price }) => price.recurring))
  const ends = prices.map((each) =>
    addInterval(clock.frozen_time, each?.interval ?? 'year', 2 * (each?.interval_count ?? 1)),
  )
  return Math.min(...ends, addInterval(clock.frozen_time, 'year', 2))
}

/** Its customers and their subscriptions are deleted too. */
export function deleteTestClock(account: Account, id: string): Stripe.TestHelpers.DeletedTestClock {
  const clock = account.tables.testClocks.get(id, 'test_clock')
  for (const subscription of account.tables.subscriptions.list((each) => idOf(each.test_clock) === id))
    account.tables.subscriptions.remove(subscription.id)
  for (const customer of account.tables.customers.list((each) => !each.deleted && idOf(each.test_clock) === id))
    account.tables.customers.add({ id: customer.id, object: 'customer', deleted: true })
  account.tables.testClocks.remove(id)
  account.emit('test_helpers.test_clock.deleted', clock)
  return { id, object: 'test_helpers.test_clock', deleted: true }
}

/** Moves the time of all objects without a test clock, step by step. */
export function advanceAccount(account: Account, seconds: number): void {
  const ahead = account.aheadSeconds + seconds
  const target = account.now() + seconds
  passTime(account, null, target, (step) => account.freeze(step))
  account.unfreeze(ahead)
}

/** Up to which second each account was brought. */
const caughtUp = new WeakMap<Account, number>()

/** Does what became due since the last request. Looking takes longer the more subscriptions there are: once per second. */
export function catchUp(account: Account): void {
  const now = account.now()
  if (caughtUp.get(account) === now) return
  caughtUp.set(account, now)
  passTime(account, null, now, () => undefined)
}
