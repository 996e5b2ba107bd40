import type { PlanGrant, SubscriberBilling, TrialExtension } from '#contract/superadmin-subscriptions.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { setSubscription } from '../billing.service.ts'
import { deleteGrant, findGrant, saveGrant } from '../granted-plans/granted-plans.queries.ts'
import { settleStatus } from '../granted-plans/settle-status.ts'
import { findPlan } from '../plans/plans.queries.ts'
import { findStanding, readSubscriptions } from '../stripe/mirror.queries.ts'
import { pickSubscription } from '../stripe/subscription-states.ts'
import { readSubscriber } from './read-subscribers.ts'
import { recordAct } from './record-act.ts'
import { findSubscriber } from './subscribers.queries.ts'

const reason = 'superadmins give plans and extend trials'
const maxDays = 3660
const dayMs = 86_400_000

/** What superadmins give without payment. */
export interface GrantActs {
  /** @throws ProductError `plan_not_found`, `organization_unlimited`, `validation_failed` for an end in the past. */
  grantPlan(superadminId: string, organizationId: string, grant: PlanGrant): Promise<SubscriberBilling>
  /** @throws ProductError `granted_plan_not_found`. */
  revokeGrantedPlan(organizationId: string, reason: string): Promise<SubscriberBilling>
  /** @throws ProductError `trial_not_extendable`, `validation_failed` for an end that is no later. */
  extendTrial(organizationId: string, extension: TrialExtension): Promise<SubscriberBilling>
}

export function createGrants(database: Database): GrantActs {
  return {
    grantPlan: (superadminId, organizationId, { planId, endsAt, reason: why }) =>
      database.asSystem(reason, async (tx) => {
        const { status } = await getStanding(tx, organizationId)
        if (status === 'self_hosted') throw new ProductError('organization_unlimited')
        const plan = await findPlan(tx, planId)
        if (!plan) throw new ProductError('plan_not_found')
        if (endsAt !== null) readEnd(endsAt)
        await recordAct(tx, organizationId, {
          act: 'plan_granted',
          plan: plan.name,
          until: endsAt === null ? 'it is revoked' : endsAt.slice(0, 10),
          reason: why,
        })
        await saveGrant(tx, organizationId, { planId, endsAt, reason: why.trim(), grantedBy: superadminId })
        await settleStatus(tx, organizationId)
        return readSubscriber(tx, organizationId)
      }),

    revokeGrantedPlan: (organizationId, why) =>
      database.asSystem(reason, async (tx) => {
        await getStanding(tx, organizationId)
        const grant = await deleteGrant(tx, organizationId)
        if (!grant) throw new ProductError('granted_plan_not_found')
        const plan = await findPlan(tx, grant.planId)
        await recordAct(tx, organizationId, { act: 'plan_revoked', plan: plan?.name ?? '', reason: why })
        await settleStatus(tx, organizationId, { ended: grant })
        return readSubscriber(tx, organizationId)
      }),

    extendTrial: (organizationId, { endsAt, reason: why }) =>
      database.asSystem(reason, async (tx) => {
        const { status } = await getStanding(tx, organizationId)
        const trialEndsAt = (await findSubscriber(tx, organizationId))?.trialEndsAt ?? null
        const end = readEnd(endsAt)
        const isBought = pickSubscription(await readSubscriptions(tx, organizationId)) !== undefined
        const isGranted = (await findGrant(tx, organizationId)) !== undefined
        if (isBought || isGranted || (status !== 'trialing' && status !== 'expired')) {
          throw new ProductError('trial_not_extendable')
        }
        if (trialEndsAt !== null && end <= trialEndsAt) {
          throw invalid('body.endsAt', 'must be later than the present end of the trial')
        }
        await recordAct(tx, organizationId, { act: 'trial_extended', until: endsAt.slice(0, 10), reason: why })
        await setSubscription(tx, organizationId, { status: 'trialing', planId: null, trialEndsAt: end })
        return readSubscriber(tx, organizationId)
      }),
  }
}

/** Locks the organisation. @throws ProductError `organization_not_found`. */
async function getStanding(tx: SystemTx, organizationId: string) {
  const standing = await findStanding(tx, organizationId)
  if (!standing) throw new ProductError('organization_not_found')
  return standing
}

/** @throws ProductError `validation_failed` for a day that no calendar has, in the past or in the far future. */
function readEnd(endsAt: string): Date {
  const end = new Date(endsAt)
  const now = Date.now()
  if (Number.isNaN(Number(end)) || Number(end) <= now) throw invalid('body.endsAt', 'must be a time in the future')
  if (Number(end) > now + maxDays * dayMs) throw invalid('body.endsAt', 'must be within ten years')
  return end
}
