import { type RawBuilder, sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'
import { maxRange } from '../histogram.ts'

/** How many items of a project have a value. */
export interface DayCount extends Readonly<RowAs<'feedback', { projectId: 'project_id' }>> {
  readonly dimension: string
  readonly value: string
  readonly n: number
}

/** Dimensions counted of every item, in the order of the values below. */
const itemDimensions = [
  'items',
  'type',
  'source',
  'status',
  'rating',
  'nps',
  'first_view',
  'first_response',
  'resolution',
  'inbox_unread',
  'inbox_new',
  'inbox_priority',
  'inbox_assignee',
]
const originDimensions = ['page', 'browser', 'language']

/**
 * Counts the items of one day in every way that a chart asks for, in one reading of them.
 *
 * @param isWhole also by page, browser and language, for which each item's context has to be unpacked
 */
export async function countDay(
  tx: SystemTx,
  { organizationId, day, isWhole }: { organizationId: string; day: string; isWhole: boolean },
): Promise<DayCount[]> {
  // Two lists and no VALUES: PostgreSQL prepares VALUES again for each item, which takes longer than counting it.
  const dimensions = [...itemDimensions, ...(isWhole ? originDimensions : [])]
  const origins = sql`,
        split_part(split_part(left(f.page_url, 1000), '?', 1), '#', 1),
        coalesce(left(f.context ->> 'userAgent', 500), ''),
        coalesce(left(f.context ->> 'language', 50), left(f.context ->> 'locale', 50), '')`
  const { rows } = await sql<DayCount>`
    select f.project_id as "projectId", v.dimension, v.value, count(*)::int as n
    from feedback f
    cross join lateral unnest(
      ${dimensions}::text[],
      array[
        '',
        f.type,
        f.source,
        f.status,
        f.rating::text,
        f.nps::text,
        ${toRange('first_viewed_at')},
        ${toRange('first_response_at')},
        ${toRange('resolved_at')},
        case when f.location = 'inbox' and f.first_viewed_at is null then '' end,
        case when f.location = 'inbox' and f.status = 'new' then '' end,
        case when f.location = 'inbox' and f.status in ('new', 'open', 'in_progress') then f.priority end,
        case when f.location = 'inbox' and f.status in ('new', 'open', 'in_progress') then f.assignee_user_id::text end
        ${isWhole ? origins : sql``}
      ]
    ) as v (dimension, value)
    where f.organization_id = ${organizationId}
      and f.created_at >= ${day}::date::timestamp at time zone 'utc'
      and f.created_at < (${day}::date + 1)::timestamp at time zone 'utc'
      and f.location in ('inbox', 'snoozed', 'archived', 'merged')
      and f.spam_reason is null
      and v.value is not null
    group by f.project_id, v.dimension, v.value
  `.execute(tx)
  return rows
}

// The number of the range as text, see histogram.ts. Imported items have no durations: another tool handled them.
function toRange(column: string): RawBuilder<unknown> {
  const seconds = sql`extract(epoch from f.${sql.ref(column)} - f.created_at)::float8`
  return sql`case
    when f.source = 'import' or f.${sql.ref(column)} is null then null
    when ${seconds} < 60 then '0'
    else least(${maxRange}, 1 + floor(4 * ln(${seconds} / 60) / ln(2::float8)))::int::text
  end`
}
