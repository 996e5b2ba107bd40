import * as billing from './billing.templates.ts'
import * as feedback from './feedback.templates.ts'
import { layout } from './layout.template.ts'
import * as operation from './operation.templates.ts'
import * as signIn from './sign-in.templates.ts'
import * as team from './team.templates.ts'
import type { Template } from './template.ts'

const { limits, planChanges, ...otherBilling } = billing
const { backupAlerts, ...otherOperation } = operation

/** Every template, in the order of the screen. */
export const templates: readonly Template[] = [
  layout,
  ...Object.values(signIn),
  ...Object.values(team),
  ...Object.values(feedback),
  otherBilling.trialExpiring,
  otherBilling.trialEnded,
  ...Object.values(limits).flatMap((limit) => Object.values(limit)),
  ...Object.values(planChanges),
  otherBilling.planCancelled,
  otherBilling.planEnded,
  ...[otherBilling.paid, otherBilling.recovered, otherBilling.failed, otherBilling.failedAgain],
  ...[otherBilling.failedFinally, otherBilling.actionRequired, otherBilling.refunded, otherBilling.withdrawalReceipt],
  ...Object.values(backupAlerts).flatMap((alert) => Object.values(alert)),
  ...Object.values(otherOperation),
]

const byId = new Map(templates.map((template) => [template.id, template]))

export function findTemplate(id: string): Template | undefined {
  return byId.get(id)
}
