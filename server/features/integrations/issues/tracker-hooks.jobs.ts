import Type from 'typebox'
import { Uuid } from '#contract/text.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { integrationDefinitions } from '../registry.ts'
import { requestDueHooks } from './tracker-hooks.queries.ts'
import { hookAddresses, keepTrackerHook, removeDeletedHook, type TrackerHookParts } from './tracker-hooks.ts'

const place = { organizationId: Uuid, integrationId: Uuid }

/** Webhooks at trackers: registered when an integration is connected or changes, renewed, and removed with it. */
export function createTrackerHookJobs(parts: TrackerHookParts): Job[] {
  const keep = defineJob('keep_tracker_hook', Type.Object(place), (wanted) => keepTrackerHook(parts, wanted))

  const remove = defineJob(
    'remove_tracker_hook',
    Type.Object({
      ...place,
      type: Type.String(),
      settings: Type.Record(Type.String(), Type.Unknown()),
      secrets: Type.String(),
      hookId: Type.String(),
      giveUpAt: Type.String(),
    }),
    async ({ giveUpAt, ...deleted }) => {
      try {
        await removeDeletedHook(parts, deleted, deleted)
      } catch (error) {
        // The job carries secrets, so it must end.
        if (!(error instanceof DeliveryFailure) || Date.parse(giveUpAt) > Date.now()) throw error
        parts.log.info({ err: error, integrationId: deleted.integrationId }, 'a webhook was left at its tracker')
      }
    },
  )

  const types = integrationDefinitions.flatMap(({ type, tracker }) => (tracker?.hooks ? [type] : []))
  const renew = defineCron('renew_tracker_hooks', { at: '20 4 * * *', catchUpHours: 24 }, () =>
    parts.database.asSystem('webhooks at trackers of every organisation are renewed', (tx) =>
      requestDueHooks(tx, { types, addresses: hookAddresses(parts.appUrl) }),
    ),
  )
  return [keep, remove, renew]
}
