import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { StoredSubmission } from './stored-submission.ts'

/** What the public side must know of a widget. */
export interface Widget {
  readonly key: string
  readonly organizationId: string
  readonly projectId: string
  readonly domain: string
  readonly settings: Readonly<Record<string, unknown>>
}

export async function findWidget(tx: SystemTx, key: string): Promise<Widget | undefined> {
  const { rows } = await sql<Widget>`
    select w.key, w.organization_id as "organizationId", w.project_id as "projectId", p.domain, w.settings
    from widgets w
    join projects p on p.organization_id = w.organization_id and p.id = w.project_id
    where w.key = ${key}
  `.execute(tx)
  return rows[0]
}

/** Notes that pages loaded these widgets. To the minute: a busy site must not write at every load. */
export async function noteWidgetLoads(tx: SystemTx, keys: readonly string[]): Promise<void> {
  await sql`
    update widgets set last_loaded_at = now()
    where key = any (${[...keys]}) and (last_loaded_at is null or last_loaded_at < now() - interval '1 minute')
  `.execute(tx)
}

/**
 * What became of one submission: `stored` now, `replayed` because it was there already with the same content,
 * `reused` because its id stands for other content, or `gone` because the project was deleted meanwhile.
 */
export type StoreResult =
  | { readonly outcome: 'stored' | 'replayed'; readonly number: number }
  | { readonly outcome: 'reused' | 'gone' }

interface InsertedRow {
  organization_id: string
  id: string
  number: number
}

interface ExistingRow extends InsertedRow {
  content_hash: string
}

/**
 * Stores a batch of submissions in one statement: numbers them per project, counts them, and enqueues one follow-up
 * job for those that are new. Results come in the order of the batch.
 */
export async function storeSubmissions(tx: SystemTx, batch: readonly StoredSubmission[]): Promise<StoreResult[]> {
  const payload = JSON.stringify(batch)
  // Every writer of a project waits here, in one order for all, so that numbers follow each other and nobody deadlocks.
  await sql`
    select from project_counters c
    where (c.organization_id, c.project_id) in (
      select organization_id, project_id
      from json_to_recordset(${payload}::json) as i (organization_id uuid, project_id uuid))
    order by c.organization_id, c.project_id
    for no key update
  `.execute(tx)
  const inserted = await sql<InsertedRow>`
    with incoming as (
      -- The same id twice in one batch is a retry that overtook its first try: the first stands.
      select distinct on (organization_id, id) *
      from rows from (
        json_to_recordset(${payload}::json) as (
          organization_id uuid, project_id uuid, id uuid, type text, source text, message text, rating smallint,
          visitor_email text, visitor_name text, page_url text, page_title text, context jsonb, metadata jsonb,
          content_hash text)
      ) with ordinality as i (
        organization_id, project_id, id, type, source, message, rating, visitor_email, visitor_name, page_url, page_title,
        context, metadata, content_hash, place)
      order by organization_id, id, place
    ),
    fresh as (
      select i.*, c.last_number + row_number() over (partition by i.organization_id, i.project_id order by i.place) as number
      from incoming i
      join project_counters c on c.organization_id = i.organization_id and c.project_id = i.project_id
      where not exists (select from feedback f where f.organization_id = i.organization_id and f.id = i.id)
    ),
    inserted as (
      insert into feedback (
        organization_id, id, project_id, number, type, source, message, rating, visitor_email, visitor_name, page_url,
        page_title, context, metadata, content_hash)
      select organization_id, id, project_id, number, type, source, message, rating, visitor_email, visitor_name, page_url,
        page_title, context, metadata, decode(content_hash, 'hex')
      from fresh
      order by place
      -- Another project of the same organisation may have taken the id since we looked.
      on conflict (organization_id, id) do nothing
      returning organization_id, project_id, id, number
    ),
    counted as (
      update project_counters c
      set last_number = n.top, feedback_count = c.feedback_count + n.count
      from (
        select organization_id, project_id, max(number) as top, count(*) as count
        from inserted group by organization_id, project_id
      ) n
      where c.organization_id = n.organization_id and c.project_id = n.project_id
      returning c.project_id
    ),
    enqueued as (
      select app.enqueue_job('feedback_received', json_build_object(
        'items', (select json_agg(json_build_object('organizationId', organization_id, 'id', id)) from inserted)))
      from (select count(*) from inserted) as n (count)
      where n.count > 0
    )
    select i.organization_id, i.id, i.number from inserted i left join enqueued on true
  `.execute(tx)
  const numbers = new Map(inserted.rows.map((row) => [keyOf(row), row.number]))
  const existing = numbers.size === batch.length ? new Map<string, ExistingRow>() : await findExisting(tx, payload)
  const claimed = new Set<string>()
  return batch.map((submission) => {
    const key = keyOf(submission)
    const number = numbers.get(key)
    if (number !== undefined && !claimed.has(key)) {
      claimed.add(key)
      return { outcome: 'stored', number }
    }
    const stored = existing.get(key)
    // Without the project there is no counter to number by, and no row was made.
    if (!stored) return { outcome: 'gone' }
    if (stored.content_hash !== submission.content_hash) return { outcome: 'reused' }
    return { outcome: 'replayed', number: stored.number }
  })
}

async function findExisting(tx: SystemTx, payload: string): Promise<Map<string, ExistingRow>> {
  const { rows } = await sql<ExistingRow>`
    select f.organization_id, f.id, f.number, encode(f.content_hash, 'hex') as content_hash
    from feedback f
    where (f.organization_id, f.id) in (
      select organization_id, id from json_to_recordset(${payload}::json) as i (organization_id uuid, id uuid))
  `.execute(tx)
  return new Map(rows.map((row) => [keyOf(row), row]))
}

function keyOf(row: { organization_id: string; id: string }): string {
  return `${row.organization_id} ${row.id}`
}
