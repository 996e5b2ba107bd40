import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'

/**
 * Derives when the monthly recurring revenue of organisations changed, from their payments, refunds and subscriptions as
 * mirrored. Months that are over stay as they were for as long as the payments do: nothing depends on when this runs.
 *
 * A payment counts from the beginning of the time that it pays for, until the earliest of: the next payment's time of the
 * same subscription begins; its own time ends, unless it is the latest of a subscription that is still open; the
 * subscription ends; it is refunded in full. What it counts: the price of an interval after discounts, without tax, by the
 * month. Years are divided by twelve and rounded to the cent for each payment, half a cent up, so that sums have no rest.
 *
 * @param organizationIds null: all.
 */
export async function deriveRevenueChanges(tx: SystemTx, organizationIds: readonly string[] | null): Promise<void> {
  const isWanted = organizationIds === null ? sql`true` : sql`organization_id = any (${organizationIds}::uuid[])`
  await sql`delete from revenue_changes where ${isWanted}`.execute(tx)
  await sql`
    with counted as (
      select organization_id, subscription_id, id, period_start, period_end,
        lead(period_start) over (
          partition by organization_id, subscription_id
          -- Invoices of the same second differ by their number.
          order by period_start, created_at, number collate "C", id collate "C") as next_start,
        -- Divided last: a twelfth that was rounded before would lose half cents.
        round(case interval
          when 'year' then recurring_cents / 12.0
          when 'month' then recurring_cents
          when 'week' then recurring_cents * 52 / 12.0
          else recurring_cents * 365 / 12.0
        end)::integer as cents,
        paid_cents
      from payments
      where ${isWanted} and status = 'paid' and currency = 'usd' and subscription_id is not null
        and recurring_cents is not null and interval is not null and period_start is not null and period_end is not null
    ),
    refunded as (
      select organization_id, payment_id, sum(cents) as cents, max(created_at) as at
      from refunds where ${isWanted} and status = 'succeeded' group by organization_id, payment_id
    ),
    spans as (
      select c.organization_id, c.cents, c.period_start as starts_at,
        least(
          c.next_start,
          case
            when c.next_start is not null then c.period_end
            when s.status in ('active', 'trialing', 'past_due') then null
            else coalesce(s.ended_at, c.period_end)
          end,
          s.ended_at,
          case when c.paid_cents > 0 and r.cents >= c.paid_cents then r.at end) as ends_at
      from counted c
      join subscriptions s on s.organization_id = c.organization_id and s.id = c.subscription_id
      left join refunded r on r.organization_id = c.organization_id and r.payment_id = c.id
      where c.cents > 0
    ),
    steps as (
      select organization_id, at, sum(cents) as cents
      from (
        select organization_id, starts_at as at, cents from spans where ends_at is null or ends_at > starts_at
        union all
        select organization_id, ends_at, -cents from spans where ends_at > starts_at) s
      group by organization_id, at
      having sum(cents) <> 0
    )
    insert into revenue_changes (organization_id, at, before_cents, after_cents)
    select organization_id, at, sum(cents) over w - cents, sum(cents) over w
    from steps
    window w as (partition by organization_id order by at)
  `.execute(tx)
}
