import { sql } from 'kysely'

/*
 * What figures of revenue are made of, as parts of queries: the report adds them up by month, lists of parts by organisation.
 */

/**
 * By organisation and month (UTC): by how much its monthly recurring revenue at the end of the month differs from that at
 * the end of the month before. Of the current month, until now. Columns: organization_id, month, change, kind, cohort.
 */
export const listedMovements = sql`
  select organization_id, month, change, first_value(month) over w as cohort,
    case
      when row_number() over w = 1 then 'new'
      when sum(change) over w = change then 'reactivation'
      when sum(change) over w = 0 then 'churn'
      when change > 0 then 'expansion'
      else 'contraction'
    end as kind
  from (
    select organization_id, date_trunc('month', at at time zone 'UTC')::date as month,
      sum(after_cents - before_cents) as change
    from revenue_changes where at <= now()
    group by 1, 2
    having sum(after_cents - before_cents) <> 0) m
  window w as (partition by organization_id order by month)
`

/** The share of a payment's tax in a part of it, in cents. */
const taxOf = (cents: ReturnType<typeof sql>) => sql`
  case when p.total_cents > 0 then round(p.tax_cents::numeric * ${cents} / p.total_cents)::integer else 0 end
`

/** Payments without tax. Columns: organization_id, month, currency, cents. */
export const netPayments = sql`
  select p.organization_id, date_trunc('month', p.paid_at at time zone 'UTC')::date as month, p.currency,
    p.paid_cents - ${taxOf(sql`p.paid_cents`)} as cents
  from payments p where p.status = 'paid' and p.paid_cents > 0
`

/** Refunds without tax. Columns as of {@link netPayments}. */
export const netRefunds = sql`
  select r.organization_id, date_trunc('month', r.created_at at time zone 'UTC')::date as month, r.currency,
    r.cents - coalesce(${taxOf(sql`r.cents`)}, 0) as cents
  from refunds r
  left join payments p on p.organization_id = r.organization_id and p.id = r.payment_id
  where r.status = 'succeeded' and r.cents > 0
`
