import { sql } from 'kysely'
import type { WidgetSettings } from '#contract/widget-settings.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import type { Refined, RowAs } from '#server/platform/database/row.ts'
import type { Count } from './count.ts'
import { completeSettings } from './settings/complete-settings.ts'
import type { StoredSubmission } from './stored-submission.ts'

/** What the public side must know of a widget. */
export interface Widget {
  readonly key: string
  readonly organizationId: string
  readonly projectId: string
  readonly domain: string
  readonly extraOrigins: readonly string[]
  readonly settings: WidgetSettings
  readonly identityGeneration: number
  /** The project takes no feedback at the moment: it is archived, or its organisation is closed. */
  readonly isArchived: boolean
  /** Its organisation is suspended: no page shows it, and what visitors still send is stored and locked. */
  readonly isSuspended: boolean
}

interface WidgetRow
  extends RowAs<
      'widgets',
      {
        key: 'key'
        organizationId: 'organization_id'
        projectId: 'project_id'
        identityGeneration: 'identity_generation'
      }
    >,
    RowAs<'projects', { domain: 'domain'; extraOrigins: 'extra_origins' }> {
  isArchived: boolean
  isSuspended: boolean
  settings: Refined<'widgets', 'settings', Record<string, unknown>>
}

const widgetColumns = sql`
  w.key, w.organization_id as "organizationId", w.project_id as "projectId", p.domain,
  p.extra_origins as "extraOrigins", w.identity_generation as "identityGeneration",
  (p.archived_at is not null or o.closed_at is not null) as "isArchived", o.suspended_at is not null as "isSuspended"
`
const widgetTables = sql`
  widgets w
  join projects p on p.organization_id = w.organization_id and p.id = w.project_id
  join organizations o on o.id = w.organization_id
`

/** The widget as visitors get it. */
export async function findWidget(tx: SystemTx, key: string): Promise<Widget | undefined> {
  const { rows } = await sql<WidgetRow>`
    select ${widgetColumns}, w.settings
    from ${widgetTables}
    where w.key = ${key}
  `.execute(tx)
  return rows[0] && { ...rows[0], settings: completeSettings(rows[0].settings) }
}

/** The widget under unpublished settings, for the holder of their token. */
export async function findDraft(tx: SystemTx, key: string, token: string): Promise<Widget | undefined> {
  const { rows } = await sql<WidgetRow>`
    select ${widgetColumns}, w.draft as settings
    from ${widgetTables}
    where w.key = ${key} and w.draft_token = ${token}
  `.execute(tx)
  return rows[0] && { ...rows[0], settings: completeSettings(rows[0].settings) }
}

/**
 * Notes that pages loaded these widgets. To the minute: a busy site must not write at every load.
 *
 * @returns those that no page had loaded before.
 */
export async function noteWidgetLoads(
  tx: SystemTx,
  keys: readonly string[],
): Promise<{ organizationId: string; projectId: string }[]> {
  const { rows } = await sql<{ organizationId: string; projectId: string }>`
    with former as (
      select organization_id, project_id, last_loaded_at from widgets
      where key = any (${[...keys]}) and (last_loaded_at is null or last_loaded_at < now() - interval '1 minute')
      for no key update
    ),
    noted as (
      update widgets w set last_loaded_at = now()
      from former f where w.organization_id = f.organization_id and w.project_id = f.project_id
    )
    select organization_id as "organizationId", project_id as "projectId" from former where last_loaded_at is null
  `.execute(tx)
  return rows
}

/**
 * What became of one submission: `stored` now, `replayed` because it was there already with the same content,
 * `reused` because its id stands for other content, or `gone` because the project was deleted meanwhile.
 */
export type StoreResult =
  | { readonly outcome: 'stored' | 'replayed'; readonly number: number }
  | { readonly outcome: 'reused' | 'gone' }

interface StoredRow {
  readonly outcome: StoreResult['outcome']
  readonly number: number | null
}

/**
 * Stores a batch of submissions in one transaction: numbers them per project, counts them, and records one event for those
 * that are new. Results come in the order of the batch, after the commit.
 */
export async function storeSubmissions(
  database: Database,
  batch: readonly StoredSubmission[],
): Promise<readonly StoreResult[]> {
  // The same id twice in one batch is a retry that overtook its first try: it waits until that one is stored.
  const { first, again } = splitRepeats(batch)
  // One round trip: each further one would wait for its turn behind the requests that are coming in.
  const { rows } = await sql<StoredRow>`
    select outcome, number from app.store_submissions(${JSON.stringify(first)}::json)
  `.execute(database.powerless)
  const results = new Map<StoredSubmission, StoredRow | StoreResult | undefined>(
    first.map((submission, index) => [submission, rows[index]]),
  )
  if (again.length > 0) {
    const settled = await storeSubmissions(database, again)
    for (const [index, submission] of again.entries()) results.set(submission, settled[index])
  }
  return batch.map((submission) => toResult(results.get(submission)))
}

function splitRepeats(batch: readonly StoredSubmission[]): { first: StoredSubmission[]; again: StoredSubmission[] } {
  const seen = new Set<string>()
  const first: StoredSubmission[] = []
  const again: StoredSubmission[] = []
  for (const submission of batch) {
    const key = `${submission.organization_id} ${submission.id}`
    if (seen.has(key)) again.push(submission)
    else first.push(submission)
    seen.add(key)
  }
  return { first, again }
}

function toResult(row: StoredRow | StoreResult | undefined): StoreResult {
  if (row?.outcome === 'reused' || row?.outcome === 'gone') return { outcome: row.outcome }
  if ((row?.outcome === 'stored' || row?.outcome === 'replayed') && row.number !== null) {
    return { outcome: row.outcome, number: row.number }
  }
  throw new Error('a submission was neither stored nor refused')
}

/** Adds counts of an hour. Counts of a deleted project are dropped. */
export async function addCounts(tx: SystemTx, counts: readonly Count[]): Promise<void> {
  await sql`
    insert into widget_counters as c (organization_id, project_id, hour, event, n)
    select i."organizationId", i."projectId", to_timestamp(i.hour / 1000.0), i.event, i.n
    from json_to_recordset(${JSON.stringify(counts)}::json)
      as i ("organizationId" uuid, "projectId" uuid, hour bigint, event text, n bigint)
    join projects p on p.organization_id = i."organizationId" and p.id = i."projectId"
    -- One order for all processes, so that none waits for another in a circle.
    order by i."organizationId", i."projectId", i.hour, i.event
    on conflict (organization_id, project_id, hour, event) do update set n = c.n + excluded.n
  `.execute(tx)
}
