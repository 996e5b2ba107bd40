import { sql } from 'kysely'
import type { Subscription } from '#contract/notifications.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'
import type { SubscriptionOf } from './unsubscribe-link.ts'

export async function findSubscription(tx: SystemTx, of: SubscriptionOf): Promise<Subscription | undefined> {
  const { rows } = await sql<Row<'organizations', 'name'> & { is_subscribed: boolean }>`
    select o.name, not coalesce(${of.list} = any(s.muted_mails), false) as is_subscribed
    from memberships m
    join organizations o on o.id = m.organization_id
    left join notification_settings s on s.organization_id = m.organization_id and s.user_id = m.user_id
    where m.organization_id = ${of.organizationId} and m.user_id = ${of.userId}
  `.execute(tx)
  return rows[0] && { list: of.list, organizationName: rows[0].name, isSubscribed: rows[0].is_subscribed }
}

export async function changeSubscription(tx: SystemTx, of: SubscriptionOf, isSubscribed: boolean): Promise<void> {
  await sql`
    insert into notification_settings as s (organization_id, user_id, muted_mails)
    select organization_id, user_id, case when ${isSubscribed} then '{}' else array[${of.list}::text] end
    from memberships where organization_id = ${of.organizationId} and user_id = ${of.userId}
    on conflict (organization_id, user_id) do update set
      muted_mails = array_remove(s.muted_mails, ${of.list}::text) || excluded.muted_mails
  `.execute(tx)
}
