import type { Database } from '#server/platform/database/database.ts'
import { sendLiveMessage } from '#server/platform/events/live-channel.ts'
import { defineSubscriber, type QueuedSubscriber } from '#server/platform/events/subscriber.ts'
import { renderFilesFull } from '../mail/mail.service.ts'
import { takeFullQuota } from '../quotas/quotas.service.ts'
import { mailOwners, type OwnerMailParts } from './mail-owners.ts'

export interface FullQuotaMailParts extends OwnerMailParts {
  readonly database: Database
}

const reason = 'owners are told that visitors’ files are refused'

/** Emails owners about full storage, and updates their open bells. The emails and their mark are one transaction. */
export function createFullQuotaSubscriber(parts: FullQuotaMailParts): QueuedSubscriber {
  return defineSubscriber('mail_full_quotas', ['quota.files_full'], async (events) => {
    for (const { organizationId, ids, payload } of events) {
      const projectId = payload.scope === 'project' ? (ids[0] ?? null) : null
      await mailFullQuota(parts, { organizationId, projectId })
    }
  })
}

async function mailFullQuota(
  parts: FullQuotaMailParts,
  { organizationId, projectId }: { organizationId: string; projectId: string | null },
): Promise<void> {
  await parts.database.asSystem(reason, async (tx) => {
    const full = await takeFullQuota(tx, { organizationId, projectId })
    if (!full) return
    const owners = await mailOwners(tx, parts, organizationId, (frame) => renderFilesFull(full, frame))
    if (owners.length > 0) await sendLiveMessage(tx, organizationId, { kind: 'notifications', ids: owners })
  })
}
