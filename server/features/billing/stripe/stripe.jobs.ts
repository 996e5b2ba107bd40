import type Stripe from 'stripe'
import Type from 'typebox'
import { Uuid } from '#contract/text.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import { followClosing } from '../closing/follow-closing.ts'
import { carryOut } from '../withdrawal/withdraw.ts'
import type { BillingParts } from './billing-parts.ts'
import { converge } from './converge.ts'
import { endReport, listBilledOrganizations, startReport } from './reconcile.queries.ts'
import { isMissing } from './stripe-client.ts'
import { deleteOldEvents } from './stripe-events.queries.ts'
import { syncPlans } from './sync-plans.ts'

export interface StripeJobParts extends BillingParts {
  readonly findStripe: () => Promise<Stripe>
}

const reason = 'the mirrors of all organisations are compared with Stripe'
const organizationsAtATime = 100
const eventsAtATime = 1_000

/** Convergence after events, plans at Stripe, the nightly comparison, and what has to be done at Stripe whatever happens. */
export function createStripeJobs(parts: StripeJobParts): Job[] {
  return [
    defineJob('converge_billing', Type.Object({ organizationId: Uuid }), async ({ organizationId }) => {
      try {
        await converge(parts, organizationId)
      } catch (error) {
        if (!isMissing(error)) throw error
        // Trying again can't help. Nothing is changed: with a wrong key, everyone would lose their plan.
        parts.log.error({ err: error, organizationId }, 'the Stripe account has no such customer')
      }
    }),
    defineJob('follow_closing', Type.Object({ organizationId: Uuid }), ({ organizationId }) =>
      followClosing(parts, organizationId),
    ),
    defineJob('complete_withdrawal', Type.Object({ organizationId: Uuid, subscriptionId: Type.String() }), (key) =>
      carryOut(parts, key),
    ),
    defineCron('sync_plans', { at: '*/10 * * * *', catchUpHours: 1 }, async () => {
      await syncPlans({ ...parts, stripe: await parts.findStripe() })
    }),
    defineCron('reconcile_billing', { at: '40 3 * * *', catchUpHours: 24 }, () => reconcile(parts)),
  ]
}

/** Compares every organisation with Stripe, corrects what differs, and writes a report. */
async function reconcile(parts: StripeJobParts): Promise<void> {
  const { database, log } = parts
  const id = await database.asSystem(reason, startReport)
  const report = { organizations: 0, differences: 0, failures: 0 }
  for (let after: string | null = null; ; ) {
    const page: string[] = await database.asSystem(reason, (tx) =>
      listBilledOrganizations(tx, after, organizationsAtATime),
    )
    for (const organizationId of page) {
      report.organizations += 1
      try {
        if ((await converge(parts, organizationId)) !== 'changed') continue
        report.differences += 1
        log.warn({ organizationId }, 'the mirror of an organisation was not equal to Stripe, and is now')
      } catch (error) {
        report.failures += 1
        log.warn({ err: error, organizationId }, 'an organisation could not be compared with Stripe')
      }
    }
    after = page.at(-1) ?? null
    if (page.length < organizationsAtATime) break
  }
  await database.asSystem(reason, (tx) => endReport(tx, id, report))
  log.info(report, 'the mirrors of all organisations were compared with Stripe')
  while ((await database.asSystem(reason, (tx) => deleteOldEvents(tx, eventsAtATime))) === eventsAtATime);
}
