import { Readable } from 'node:stream'
import type { SubscriberFilters } from '#contract/superadmin-subscriptions.ts'
import type { Database } from '#server/platform/database/database.ts'
import { recordDownload } from '#server/platform/events/record-download.ts'
import { type Cell, writeCsv } from '#server/platform/text/write-csv.ts'
import { listSubscribers } from './read-subscribers.ts'

const rowsAtATime = 500
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

/** Notes the download of the filtered list, and begins it. */
export async function exportSubscribers(database: Database, filters: SubscriberFilters): Promise<Readable> {
  await recordDownload(database, 'Subscriptions', filters)
  return Readable.from(writeCsv(readRows(database, filters)))
}

async function* readRows(database: Database, filters: SubscriberFilters): AsyncGenerator<Cell[]> {
  yield columns
  let cursor: string | null = null
  do {
    const from: { cursor?: string } = cursor === null ? {} : { cursor }
    const { items, nextCursor } = await database.asSystem(reason, (tx) =>
      listSubscribers(tx, { ...filters, ...from, limit: rowsAtATime }),
    )
    for (const { organization, owners, status, plan, isGranted, revenueCents, trialEndsAt } of items) {
      const { id, name, slug, createdAt } = organization
      yield [
        id,
        name,
        slug,
        createdAt,
        owners.join(' '),
        status,
        plan?.name ?? null,
        isGranted,
        revenueCents,
        trialEndsAt,
      ]
    }
    cursor = nextCursor
  } while (cursor !== null)
}
