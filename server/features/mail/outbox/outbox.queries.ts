import { sql } from 'kysely'
import type { EmailStatus, OutboxFilters } from '#contract/superadmin-emails.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'
import type { TimePlace } from '#server/platform/http/time-cursor.ts'

export interface OutboxRow
  extends RowAs<
    'app.emails',
    {
      id: 'id'
      kind: 'kind'
      to: 'to_address'
      attempts: 'attempts'
      lastError: 'last_error'
      createdAt: 'created_at'
      sentAt: 'sent_at'
      failedAt: 'failed_at'
    }
  > {
  readonly status: EmailStatus
  readonly canRetry: boolean
  /** For {@link TimePlace}. */
  readonly place: string
}

const isInStatus = {
  queued: sql`e.sent_at is null and e.failed_at is null`,
  sent: sql`e.sent_at is not null and e.bounced_at is null`,
  bounced: sql`e.bounced_at is not null`,
  failed: sql`e.sent_at is null and e.failed_at is not null and e.suppressed_at is null`,
  suppressed: sql`e.sent_at is null and e.suppressed_at is not null`,
} satisfies Record<EmailStatus, unknown>

const columns = sql`
  e.id, e.kind, e.to_address as "to", e.attempts, e.last_error as "lastError", e.created_at as "createdAt",
  e.sent_at as "sentAt", e.failed_at as "failedAt", e.created_at::text as place,
  e.sent_at is null and e.html <> '' as "canRetry",
  case when e.bounced_at is not null then 'bounced' when e.sent_at is not null then 'sent'
    when e.suppressed_at is not null then 'suppressed' when e.failed_at is not null then 'failed'
    else 'queued' end as status`

export async function findEmail(tx: SystemTx, id: string): Promise<OutboxRow | undefined> {
  const { rows } = await sql<OutboxRow>`select ${columns} from app.emails e where e.id = ${id}`.execute(tx)
  return rows[0]
}

/** Attempts of an email, the oldest first. */
export async function listAttempts(tx: SystemTx, id: string) {
  return tx
    .selectFrom('app.email_attempts')
    .select(['number', 'at', 'answer'])
    .where('email_id', '=', id)
    .orderBy('number')
    .execute()
}

/** Emails that match, latest first. */
export async function listEmails(
  tx: SystemTx,
  { search = '', kind, status, organizationId, order }: OutboxFilters,
  { after, limit }: { after: TimePlace | undefined; limit: number },
): Promise<OutboxRow[]> {
  const words = search.trim().toLowerCase()
  const [beyond, direction] = order === 'oldest' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const { rows } = await sql<OutboxRow>`
    select ${columns}
    from app.emails e
    where ${words === '' ? sql`true` : sql`strpos(lower(e.to_address), ${words}) > 0`}
      and ${kind === undefined ? sql`true` : sql`e.kind = ${kind}`}
      and ${status === undefined ? sql`true` : isInStatus[status]}
      and ${organizationId === undefined ? sql`true` : sql`e.organization_id = ${organizationId}`}
      and ${after ? sql`(e.created_at, e.id) ${beyond} (${after.at}::timestamptz, ${after.id}::uuid)` : sql`true`}
    order by e.created_at ${direction}, e.id ${direction} limit ${limit}
  `.execute(tx)
  return rows
}

interface Counts {
  readonly queued: number
  readonly sentDay: number
  readonly failedDay: number
  readonly sentFortnight: number
  readonly failedFortnight: number
  readonly kinds: string[]
}

export async function countEmails(tx: SystemTx): Promise<Counts | undefined> {
  const { rows } = await sql<Counts>`
    select count(*) filter (where sent_at is null and failed_at is null)::integer as queued,
      count(*) filter (where sent_at > now() - interval '24 hours')::integer as "sentDay",
      count(*) filter (where sent_at is null and suppressed_at is null and failed_at > now() - interval '24 hours')::integer as "failedDay",
      count(*) filter (where sent_at > now() - interval '14 days')::integer as "sentFortnight",
      count(*) filter (where sent_at is null and suppressed_at is null and failed_at > now() - interval '14 days')::integer as "failedFortnight",
      coalesce(array_agg(distinct kind order by kind), '{}') as kinds
    from app.emails
  `.execute(tx)
  return rows[0]
}
