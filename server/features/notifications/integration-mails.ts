import type { Database } from '#server/platform/database/database.ts'
import { defineSubscriber, type QueuedSubscriber } from '#server/platform/events/subscriber.ts'
import { defineCron, type Job } from '#server/platform/jobs/job.ts'
import { listEndingTokens, takeDisabledIntegration, takeEndingToken } from '../integrations/owner-notices.service.ts'
import { renderIntegrationDisabled, renderTokenEnding } from '../mail/mail.service.ts'
import { mailOwners, type OwnerMailParts } from './mail-owners.ts'

export interface IntegrationMailParts extends OwnerMailParts {
  readonly database: Database
}

const tokensAtATime = 100

/** Emails owners about an integration that Earshot disabled. The emails and their mark are one transaction. */
export function createDisabledMailSubscriber(parts: IntegrationMailParts): QueuedSubscriber {
  const reason = 'owners are told that an integration was disabled'
  return defineSubscriber('mail_disabled_integrations', ['integration.disabled'], async (events) => {
    for (const { organizationId, ids } of events) {
      for (const integrationId of ids) {
        await parts.database.asSystem(reason, async (tx) => {
          const disabled = await takeDisabledIntegration(tx, { organizationId, integrationId })
          if (!disabled) return
          await mailOwners(tx, parts, organizationId, (frame) => renderIntegrationDisabled(disabled, frame))
        })
      }
    }
  })
}

/** Warns owners 30, 7 and 1 days before a token expires. The emails and their mark are one transaction. */
export function createEndingTokenJob(parts: IntegrationMailParts): Job {
  const reason = 'owners are warned of tokens that expire'
  return defineCron('mail_ending_tokens', { at: '10 7 * * *', catchUpHours: 20 }, async () => {
    for (;;) {
      const due = await parts.database.asSystem(reason, (tx) => listEndingTokens(tx, tokensAtATime))
      for (const place of due) {
        await parts.database.asSystem(reason, async (tx) => {
          const ending = await takeEndingToken(tx, place)
          if (!ending) return
          await mailOwners(tx, parts, place.organizationId, (frame) => renderTokenEnding(ending, frame))
        })
      }
      if (due.length < tokensAtATime) return
    }
  })
}
