import type { FastifyInstance } from 'fastify'
import {
  applyPromotionCode,
  cancelSubscription,
  changeSubscribedPlan,
  createCheckout,
  createPortalSession,
  getBilling,
  getUpcomingPayment,
  listInvoices,
  previewPlan,
  reactivateSubscription,
  refreshBilling,
  withdrawFromContract,
} from '#contract/billing.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import { openPortal, startCheckout } from './checkout/checkout.service.ts'
import { actAtStripe, type BillingParts } from './stripe/billing-parts.ts'
import * as ends from './subscription/cancel-subscription.ts'
import * as changes from './subscription/change-plan.ts'
import { listInvoicePage } from './subscription/list-invoice-page.ts'
import { readBilling } from './subscription/read-billing.ts'
import { readUpcoming } from './subscription/read-upcoming.ts'
import { withdraw } from './withdrawal/withdraw.ts'

/** What owners do with their plan. Acts answer with the billing that they have led to. */
export function ownerBillingRoutes(app: FastifyInstance, parts: BillingParts): void {
  const { database, config } = parts
  const read = (actor: Actor, organizationId: string) =>
    readBilling(database, actor, { organizationId, withdrawalDays: config.withdrawalDays })

  addRoute(app, getBilling, async ({ params: { organizationId }, caller }) =>
    answer(200, await read(caller.actor, organizationId)),
  )
  addRoute(app, getUpcomingPayment, async ({ params }) => answer(200, await readUpcoming(parts, params.organizationId)))
  addRoute(app, listInvoices, async ({ params, query, caller }) =>
    answer(200, await listInvoicePage(database, caller.actor, params.organizationId, query)),
  )
  addRoute(app, createCheckout, async ({ params, body, caller }) =>
    answer(201, await startCheckout(parts, caller.actor, params.organizationId, body)),
  )
  addRoute(app, createPortalSession, async ({ params }) =>
    answer(201, { url: await openPortal(parts, params.organizationId) }),
  )
  addRoute(app, refreshBilling, async ({ params: { organizationId }, caller }) => {
    await actAtStripe(parts, organizationId, async () => {})
    return answer(200, await read(caller.actor, organizationId))
  })
  addRoute(app, previewPlan, async ({ params, body }) =>
    answer(200, await changes.previewPlan(parts, params.organizationId, body)),
  )
  addRoute(app, changeSubscribedPlan, async ({ params: { organizationId }, body, caller }) => {
    await changes.changePlan(parts, organizationId, body)
    return answer(200, await read(caller.actor, organizationId))
  })
  addRoute(app, applyPromotionCode, async ({ params: { organizationId }, body, caller }) => {
    await ends.applyPromotionCode(parts, organizationId, body.code)
    return answer(200, await read(caller.actor, organizationId))
  })
  addRoute(app, cancelSubscription, async ({ params: { organizationId }, body, caller }) => {
    await ends.cancelSubscription(parts, organizationId, body)
    return answer(200, await read(caller.actor, organizationId))
  })
  addRoute(app, reactivateSubscription, async ({ params: { organizationId }, caller }) => {
    await ends.reactivateSubscription(parts, organizationId)
    return answer(200, await read(caller.actor, organizationId))
  })
  addRoute(app, withdrawFromContract, async ({ params: { organizationId }, body, caller }) => {
    await withdraw(parts, organizationId, body)
    return answer(200, await read(caller.actor, organizationId))
  })
}
