import type { Database } from '#server/platform/database/database.ts'
import { sendLiveMessage } from '#server/platform/events/live-channel.ts'
import { defineSubscriber, type QueuedSubscriber } from '#server/platform/events/subscriber.ts'
import { takePlanWarnings } from '../billing/billing.service.ts'
import { renderPlanWarning } from '../mail/mail.service.ts'
import { mailOwners, type OwnerMailParts } from './mail-owners.ts'

interface PlanWarningParts extends OwnerMailParts {
  readonly database: Database
}

const reason = 'owners are warned of limits and of trials that end'

/** Emails owners about limits and trials, and updates their open bells. The emails and their mark are one transaction. */
export function createPlanWarningSubscriber(parts: PlanWarningParts): QueuedSubscriber {
  const names = ['plan.limit_near', 'trial.expiring', 'trial.ended'] as const
  return defineSubscriber('mail_plan_warnings', names, async (events) => {
    for (const organizationId of new Set(events.map((event) => event.organizationId))) {
      await parts.database.asSystem(reason, async (tx) => {
        const warnings = await takePlanWarnings(tx, organizationId)
        for (const warning of warnings) {
          const owners = await mailOwners(tx, parts, organizationId, (frame) => renderPlanWarning(warning, frame))
          if (owners.length > 0) await sendLiveMessage(tx, organizationId, { kind: 'notifications', ids: owners })
        }
      })
    }
  })
}
