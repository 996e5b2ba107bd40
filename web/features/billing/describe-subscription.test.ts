import { expect, it } from 'vitest'
import type { Entitlements } from '#contract/plans.ts'
import { describeSubscription } from './describe-subscription.ts'

const none = { used: 0, max: null }
const trial: Entitlements = {
  status: 'trialing',
  trialEndsAt: '2031-05-01T00:00:00.000Z',
  plan: null,
  hasEnded: false,
  locksNewFeedback: false,
  projects: none,
  members: none,
  items: none,
}
const growth = { id: '0190b5a0-0000-7000-8000-000000000001', key: 'growth', name: 'Growth' }
const read = (change: Partial<Entitlements>) =>
  describeSubscription({ ...trial, ...change }, (instant) => instant.slice(0, 10))

it.each<[string, Partial<Entitlements>, string, RegExp]>([
  ['a trial', {}, 'Trial', /until 2031-05-01/],
  ['a trial that is over', { hasEnded: true }, 'No plan', /^Your trial has ended\..*locked/],
  ['a cancelled plan', { status: 'canceled', plan: growth, hasEnded: true }, 'No plan', /^Your plan has ended\./],
  ['a plan', { status: 'active', plan: growth }, 'Growth', /active/],
  ['a plan whose payment failed', { status: 'past_due', plan: growth }, 'Growth', /payment failed/],
])('names %s', (_, change, title, text) => {
  expect(read(change)).toEqual({ title, text: expect.stringMatching(text), hasPlans: true })
})

it('offers no plans where none are needed', () => {
  expect(read({ status: 'self_hosted', trialEndsAt: null })).toMatchObject({
    title: 'Self-hosted',
    hasPlans: false,
  })
})
