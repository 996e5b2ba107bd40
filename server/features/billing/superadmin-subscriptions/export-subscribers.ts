import type { Subscriber, SubscriberFilters } from '#contract/superadmin-subscriptions.ts'
import type { Database } from '#server/platform/database/database.ts'
import { beginDownload, type CsvDownload } from '#server/platform/events/csv-download.ts'
import type { Cell } from '#server/platform/text/write-csv.ts'
import { listSubscribers } from './read-subscribers.ts'

const reason = 'superadmins download the subscriptions of all organisations'
const columns = [
  'organization_id',
  'organization_name',
  'slug',
  'created_at',
  'owners',
  'status',
  'plan',
  'granted',
  'mrr_cents',
  'trial_ends_at',
]

export function exportSubscribers(database: Database, filters: SubscriberFilters): Promise<CsvDownload> {
  return beginDownload<string>(database, {
    name: 'Subscriptions',
    file: 'subscriptions',
    filters,
    columns,
    read: async (after, limit) => {
      const place = after === undefined ? {} : { cursor: after }
      const { items, nextCursor } = await database.asSystem(reason, (tx) =>
        listSubscribers(tx, { ...filters, ...place, limit }),
      )
      return { rows: items.map(toCells), next: nextCursor ?? undefined }
    },
  })
}

function toCells({ organization, owners, status, plan, isGranted, revenueCents, trialEndsAt }: Subscriber): Cell[] {
  const { id, name, slug, createdAt } = organization
  return [id, name, slug, createdAt, owners.join(' '), status, plan?.name ?? null, isGranted, revenueCents, trialEndsAt]
}
